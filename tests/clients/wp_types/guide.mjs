// Has the TypeScript compiler hold a program of the guide, given in the environment, against the types of wp-types.
import ts from 'typescript';

const { HERE: folder, PROGRAM: source } = process.env;
const path = `${folder}/guide.mts`; // beside node_modules, where the types are looked for; held in memory
const options = {
  strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16,
};
const host = ts.createCompilerHost(options);
const { getSourceFile, fileExists } = host;
host.fileExists = (name) => name === path || fileExists.call(host, name);
host.getSourceFile = (name, ...rest) =>
  name === path ? ts.createSourceFile(name, source, options.target) : getSourceFile.call(host, name, ...rest);
const found = ts.getPreEmitDiagnostics(ts.createProgram([path], options, host));
console.log(JSON.stringify(found.map((each) => ts.flattenDiagnosticMessageText(each.messageText, '\n'))));
