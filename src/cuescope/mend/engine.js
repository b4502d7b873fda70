// Translates lines with Firefox's own engine: node engine.mjs PACKAGE TEXTS WARM MODEL SHORTLIST|- VOCAB...
// JSON in and out; `seconds` are of CPU, without the loading and without the first WARM lines.
import {readFile} from 'node:fs/promises';
import {pathToFileURL} from 'node:url';

const [place, given, warm, model, shortlist, ...vocabularies] = process.argv.slice(2);
const {BatchTranslator, TranslatorBacking} = await import(pathToFileURL(`${place}/translator.js`));

const bytes = async (path) => { // a copy of its own: the engine takes the buffer
    const data = await readFile(path);
    return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
};

class Files extends TranslatorBacking {
    async loadModelRegistery() { return [{from: 'xx', to: 'yy', files: {}}]; }
    async loadTranslationModel() {
        return {
            model: await bytes(model),
            vocabs: await Promise.all(vocabularies.map(bytes)),
            shortlist: shortlist === '-' ? null : await bytes(shortlist),
            qualityModel: null,
            config: {},
        };
    }
}

const failed = (error) => { console.error(error.message || error); process.exit(1); };
const texts = JSON.parse(await readFile(given, 'utf-8'));
const options = {workers: 1, batchSize: 16, pivotLanguage: null};
const backing = new Files(options); // options go to the worker by message: no functions in them
backing.onerror = failed;
const engine = new BatchTranslator(options, backing);
engine.onerror = failed;
try {
    const ask = (some) => Promise.all(some.map(
        (text) => engine.translate({from: 'xx', to: 'yy', text, html: false, qualityScores: false})));
    await ask(texts.slice(0, Number(warm)));
    const before = process.cpuUsage();
    const said = await ask(texts);
    const {user, system} = process.cpuUsage(before);
    const told = {said: said.map((one) => one.target.text), seconds: (user + system) / 1e6};
    process.stdout.write(JSON.stringify(told), () => process.exit(0));
} catch (error) {
    failed(error);
}
