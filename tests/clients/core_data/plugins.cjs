// Reads and writes what plugins bring as the editor does: autosaves, menus, fields, and a type with its taxonomy.
const { act, known, read, run } = require('./connect.cjs');

let post;
let event;

run({
  autosaved: async () => {
    await read.getCurrentUser();
    post = await act.saveEntityRecord('postType', 'post', { title: 'Before', content: 'x', status: 'publish' });
    const { parent, title } = await act.saveEntityRecord('postType', 'post', { id: post.id, title: 'Meanwhile' }, { isAutosave: true });
    return [parent === post.id, title.raw];
  },
  untouched: () => known.getRawEntityRecord('postType', 'post', post.id).title,
  autosave: () => known.getAutosave('post', post.id, post.author).title.raw,
  menu: async () => {
    const menu = await act.saveMenu({ name: 'Main' });
    await act.saveMenuItem({ title: 'Home', url: 'https://example.org/', status: 'publish', menus: menu.id });
    const items = await read.getMenuItems({ menus: menu.id, per_page: -1 });
    return [menu.slug, items.map((item) => item.title.rendered)];
  },
  locations: async () => (await read.getMenuLocations()).length > 0,
  field: async () => {
    await act.editEntityRecord('postType', 'post', post.id, { seo_title: 'Found' });
    return (await act.saveEditedEntityRecord('postType', 'post', post.id)).seo_title;
  },
  event: async () => {
    const venue = await act.saveEntityRecord('taxonomy', 'event_venue', { name: 'Hall' });
    event = await act.saveEntityRecord('postType', 'event', {
      title: 'Fair', status: 'publish', start: '2030-01-01T10:00:00', event_venues: [venue.id],
    });
    const found = await read.getEntityRecords('postType', 'event', { event_venues: [venue.id] });
    return found.map((item) => [item.id === event.id, item.start_gmt]);
  },
  types: async () => (await read.getPostTypes({ per_page: -1 })).map((type) => type.slug).includes('event'),
  deleted: async () => (await act.deleteEntityRecord('postType', 'event', event.id, { force: true })).deleted,
});
