// Translates lines with Firefox's own engine: node engine.mjs PACKAGE TEXTS MODEL VOCAB...; JSON in and out.
import {readFile} from 'node:fs/promises';
import {pathToFileURL} from 'node:url';

const [place, given, model, ...vocabularies] = process.argv.slice(2);
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
            shortlist: null,
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
    const said = await Promise.all(texts.map(
        (text) => engine.translate({from: 'xx', to: 'yy', text, html: false, qualityScores: false})));
    process.stdout.write(JSON.stringify(said.map((one) => one.target.text)), () => process.exit(0));
} catch (error) {
    failed(error);
}
