// Edits, saves, creates and deletes entities as the editor does.
const { act, known, read, run } = require('./connect.cjs');

const made = {};

// Creates an entity, changes it by an edit that is then saved, and deletes it for good.
function cycle(kind, name, fields, edits, query = { force: true }) {
  return {
    [`${name} created`]: async () => {
      made[name] = await act.saveEntityRecord(kind, name, fields);
      return made[name];
    },
    [`${name} edited`]: async () => {
      await read.getEntityRecord(kind, name, made[name].id);
      await act.editEntityRecord(kind, name, made[name].id, edits);
      return [known.hasEditsForEntityRecord(kind, name, made[name].id), known.getEditedEntityRecord(kind, name, made[name].id)];
    },
    [`${name} saved`]: async () => {
      const saved = await act.saveEditedEntityRecord(kind, name, made[name].id);
      return [saved, known.hasEditsForEntityRecord(kind, name, made[name].id)];
    },
    [`${name} deleted`]: () => act.deleteEntityRecord(kind, name, made[name].id, query),
    [`${name} gone`]: () => known.getEntityRecord(kind, name, made[name].id),
  };
}

run({
  ...cycle('postType', 'post', { title: 'New', content: '<p>Text</p>', status: 'draft' }, { title: 'Edited', status: 'publish' }),
  ...cycle('postType', 'page', { title: 'New', status: 'publish' }, { title: 'Edited', menu_order: 3 }),
  ...cycle('taxonomy', 'category', { name: 'New', parent: 1 }, { name: 'Edited' }),
  ...cycle('taxonomy', 'post_tag', { name: 'New' }, { name: 'Edited', description: 'About it' }),
  ...cycle('root', 'user', { username: 'new-one', email: 'new@example.org', password: 'correct-horse', name: 'New' },
    { name: 'Edited' }, { force: true, reassign: 1 }),
  media: async () => {
    const [item] = await read.getEntityRecords('postType', 'attachment', { per_page: 1 });
    await act.editEntityRecord('postType', 'attachment', item.id, { alt_text: 'Described', title: 'Edited' });
    const { alt_text, title } = await act.saveEditedEntityRecord('postType', 'attachment', item.id);
    return { alt_text, title: title.raw };
  },
  mediaDeleted: async () => {
    const items = await read.getEntityRecords('postType', 'attachment', { per_page: 1 });
    return (await act.deleteEntityRecord('postType', 'attachment', items[0].id, { force: true })).deleted;
  },
  settings: async () => {
    await read.getEntityRecord('root', 'site');
    await act.editEntityRecord('root', 'site', undefined, { description: 'Edited' });
    return (await act.saveEditedEntityRecord('root', 'site')).description;
  },
  trashed: async () => {
    const { id } = await act.saveEntityRecord('postType', 'post', { title: 'Trashed', status: 'publish' });
    return (await act.deleteEntityRecord('postType', 'post', id)).status;
  },
  revisions: async () => {
    const { id } = await act.saveEntityRecord('postType', 'post', { title: 'One', status: 'publish' });
    await act.saveEntityRecord('postType', 'post', { id, title: 'Two' });
    const found = await read.getRevisions('postType', 'post', id, { per_page: 5 });
    return found.map((revision) => revision.title.rendered);
  },
  refused: async () => {
    const answer = await act.saveEntityRecord('taxonomy', 'category', { name: '' });
    return [answer ?? null, known.getLastEntitySaveError('taxonomy', 'category')];
  },
});
