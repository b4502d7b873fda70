// Translates with Firefox's own engine: node engine.mjs PACKAGE MODEL SHORTLIST|- VOCAB...
// A line of JSON in, {texts, warm}, a line of JSON out, {said, seconds}; the model is loaded once.
// `seconds` are of CPU, without the first `warm` texts, which are translated beforehand.
import {readFile} from 'node:fs/promises';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const [place, model, shortlist, ...vocabularies] = process.argv.slice(2);
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
const options = {workers: 1, batchSize: 16, pivotLanguage: null};
const backing = new Files(options); // options go to the worker by message: no functions in them
backing.onerror = failed;
const engine = new BatchTranslator(options, backing);
engine.onerror = failed;
const ask = (some) => Promise.all(some.map(
    (text) => engine.translate({from: 'xx', to: 'yy', text, html: false, qualityScores: false})));
try {
    for await (const line of createInterface({input: process.stdin})) {
        const {texts, warm} = JSON.parse(line);
        await ask(texts.slice(0, warm));
        const before = process.cpuUsage();
        const said = await ask(texts);
        const {user, system} = process.cpuUsage(before);
        const told = {said: said.map((one) => one.target.text), seconds: (user + system) / 1e6};
        process.stdout.write(`${JSON.stringify(told)}\n`);
    }
    process.exit(0); // nobody asks any more
} catch (error) {
    failed(error);
}
