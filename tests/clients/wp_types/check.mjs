// Has the TypeScript compiler hold answers of the site against the types that front ends are written with.
import ts from 'typescript';

import { readAnswers } from './answers.mjs';

const { HERE: folder } = process.env;

// What the types know and the interface has not, with the fields of newer versions, and what is shown in part alone.
const LEFT_OUT = {
  Attachment: ['filename', 'filesize', 'featured_media'],
  Settings: ['site_logo', 'site_icon'], Revision: ['meta'],
  Type: ['labels', 'capabilities'], Taxonomy: ['labels'],
};

// The types allow any further field, and want members of enumerations where JSON has strings. Without both, a field that
// they don't know is an error, and a string that is a member's value is none.
const PRELUDE = `
import type * as WP from 'wp-types';
type Plain<T> = T extends string ? \`\${T}\` : T extends (infer Item)[] ? Plain<Item>[] : T;
type Answer<T> = { [Key in keyof T as string extends Key ? never : Key]: Plain<T[Key]> };
`;

const OPTIONS = {
  strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16,
};

function compile(source) {
  const path = `${folder}/answers.ts`; // beside node_modules, where the types are looked for; held in memory
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, source, OPTIONS.target) : getSourceFile.call(host, name, ...rest);
  return ts.getPreEmitDiagnostics(ts.createProgram([path], OPTIONS, host));
}

function without(item, fields) {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));
}

function declare(name, { type, items }) {
  const skipped = LEFT_OUT[type] ?? [];
  const fields = skipped.map((field) => `'${field}'`).join(' | ') || 'never';
  const shown = JSON.stringify(items.map((item) => without(item, skipped)));
  return `const ${name}: Omit<Answer<WP.WP_REST_API_${type}>, ${fields}>[] = ${shown};\n`;
}

function complain(answers) {
  const complaints = Object.fromEntries(Object.keys(answers).map((name) => [name, []]));
  const starts = [];
  let source = PRELUDE;
  for (const [name, answer] of Object.entries(answers)) {
    starts.push([source.length, name]);
    source += declare(name, answer);
  }
  for (const found of compile(source)) {
    const [, name] = starts.findLast(([start]) => start <= (found.start ?? -1)) ?? [0, 'program'];
    (complaints[name] ??= []).push(ts.flattenDiagnosticMessageText(found.messageText, '\n').slice(-500));
  }
  return complaints;
}

const answers = await readAnswers();
const counts = Object.fromEntries(Object.entries(answers).map(([name, { items }]) => [name, items.length]));
const [post] = answers.posts_view.items;
const spoilt = {
  wrong_type: { type: 'Post', items: [{ ...post, id: String(post.id) }] },
  wrong_value: { type: 'Post', items: [{ ...post, comment_status: 'maybe' }] },
  missing: { type: 'Post', items: [without(post, ['title'])] },
  unknown: { type: 'Post', items: [{ ...post, headline: 'None knows me' }] },
};

console.log(JSON.stringify({ counts, complaints: complain({ ...answers, ...spoilt }) }));
