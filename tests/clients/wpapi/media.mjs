// Uploads files from memory and from the disk, fetches them, changes and deletes their items, and features one in a post.
import { readFile } from 'node:fs/promises';

import { connect, print, refusal, signIn } from './connect.mjs';

const { cms } = await signIn();
const { cms: visitor } = await connect();
const { FILES: files } = process.env;

async function fetched(address) {
  const answer = await fetch(address);
  const bytes = Buffer.from(await answer.arrayBuffer()).toString('base64');
  return { status: answer.status, type: answer.headers.get('content-type'), bytes };
}

async function upload() {
  const data = await readFile(`${files}/harbour.png`);
  const fields = { title: 'The harbour', alt_text: 'Boats – süß', caption: 'At *noon*' };
  const fromMemory = await cms.media().file(data, 'Häfen 港.png').create(fields);
  const fromDisk = await cms.media().file(`${files}/report.pdf`).create({});
  return {
    fromMemory, fromDisk,
    sent: data.toString('base64'), file: await fetched(fromMemory.source_url), pdf: await fetched(fromDisk.source_url),
    thumbnail: await fetched(fromMemory.media_details.sizes.thumbnail.source_url),
  };
}

async function refuse() {
  const script = Buffer.from('<script>alert(1)</script>');
  return {
    script: await refusal(cms.media().file(script, 'boat.png').create({ title: 'Not a boat' })),
    empty: await refusal(cms.media().file(Buffer.alloc(0), 'none.png').create({})),
    nothing: await refusal(cms.media().create({ title: 'No file' })),
    anonymous: await refusal(visitor.media().file(`${files}/harbour.png`).create({})),
  };
}

async function feature(media) {
  const post = await cms.posts().create({ title: 'With a picture', status: 'publish', featured_media: media });
  const attached = await cms.media().id(media).update({ post: post.id });
  const read = await visitor.posts().id(post.id).embed().get();
  const children = await visitor.media().parent(post.id).get();
  return { post, attached, read, children };
}

const uploaded = await upload();
const { id } = uploaded.fromMemory;
const refused = await refuse();
const listed = await visitor.media().param('media_type', 'image').after('2020-01-01T00:00:00').get();
const changes = { title: 'Harbour at night', alt_text: '', caption: 'Dark', description: 'Long' };
const updated = await cms.media().id(id).update(changes);
const featured = await feature(id);
const deleted = await cms.media().id(id).delete({ force: true });
const gone = await refusal(cms.media().id(id).get());
const after = await visitor.posts().id(featured.post.id).get();
const left = await visitor.media().perPage(100).after('2020-01-01T00:00:00').get(); // the export's are older

print({ uploaded, refused, listed, updated, featured, deleted, gone, after, left });
