// The editor's store of entities, signed in, and a record of the requests that it makes.
require('./browser.cjs');
const apiFetch = require('@wordpress/api-fetch').default;
const { dispatch, resolveSelect, select } = require('@wordpress/data');
const { store } = require('@wordpress/core-data');

const { SITE_HOME: home, SITE_LOGIN: username, SITE_PASSWORD: password } = process.env;
const Authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const sent = [];

apiFetch.use(apiFetch.createRootURLMiddleware(`${home}/wp-json/`));
apiFetch.use((options, next) => next({ ...options, headers: { ...options.headers, Authorization } }));
apiFetch.setFetchHandler((options) => {
  const { method = 'GET', url, headers = {} } = options;
  sent.push(`${headers['X-HTTP-Method-Override'] ?? method} ${url.slice(home.length).split('?')[0]}`);
  return apiFetch.defaultFetchHandler(options);
});

// Runs steps one after another; each outcome is its value with the requests that it took, or what was thrown.
async function run(steps) {
  const outcome = {};
  for (const [name, step] of Object.entries(steps)) {
    sent.length = 0;
    try {
      const value = await step();
      outcome[name] = { value: value ?? null, sent: [...sent] };
    } catch (error) {
      outcome[name] = { thrown: error.code ?? error.status ?? String(error), sent: [...sent] };
    }
  }
  console.log(JSON.stringify(outcome));
  process.exit(0); // the store keeps timers
}

module.exports = { read: resolveSelect(store), known: select(store), act: dispatch(store), run };
