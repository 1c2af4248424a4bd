// Reads each kind of answer from the site, in its public and its editable form.
import { readFile } from 'node:fs/promises';

const { SITE_HOME: home, SITE_LOGIN: username, SITE_PASSWORD: password, FILES: files } = process.env;
const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const LISTS = {
  posts: 'Post', pages: 'Page', media: 'Attachment', comments: 'Comment', categories: 'Term', tags: 'Term', users: 'User',
  types: 'Type', taxonomies: 'Taxonomy', statuses: 'Status',
};

async function ask(path, { headers = {}, ...options } = {}) {
  const answer = await fetch(`${home}/api/cms/v2/${path}`, { ...options, headers: { Authorization, ...headers } });
  return answer.json();
}

async function addMissingKinds() {
  const headers = { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="harbour.png"' };
  await ask('media', { method: 'POST', body: await readFile(`${files}/harbour.png`), headers });
  const { id } = await ask('posts', { method: 'POST', body: new URLSearchParams({ title: 'One', status: 'publish' }) });
  await ask(`posts/${id}`, { method: 'POST', body: new URLSearchParams({ title: 'Two' }) });
  return id;
}

// Answers by name: the type that they should have, and the items.
export async function readAnswers() {
  const post = await addMissingKinds();
  const answers = { settings: { type: 'Settings', items: [await ask('settings')] } };
  for (const context of ['view', 'edit']) {
    for (const [path, type] of Object.entries(LISTS)) {
      const items = Object.values(await ask(`${path}?context=${context}&per_page=20`));
      answers[`${path}_${context}`] = { type, items };
    }
    answers[`revisions_${context}`] = { type: 'Revision', items: await ask(`posts/${post}/revisions?context=${context}`) };
  }
  const refusals = [await ask('posts/999999'), await ask('posts?per_page=0'), await ask('nothing')];
  return { ...answers, refusals: { type: 'Error', items: refusals } };
}
