// Sets up the transport: the root of the API, a sign-in on every request, and a record of what goes over the wire.
import apiFetch from '@wordpress/api-fetch';

export const { SITE_HOME: home, SITE_LOGIN: username, SITE_PASSWORD: password } = process.env;
export const sent = [];

const credentials = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

function signIn(options, next) {
  const { anonymous, ...rest } = options;
  return next(anonymous ? rest : { ...rest, headers: { ...rest.headers, Authorization: credentials } });
}

apiFetch.use(apiFetch.createNonceMiddleware('of-a-page-long-gone'));
apiFetch.use(apiFetch.createRootURLMiddleware(`${home}/api/`));
apiFetch.use(signIn);
apiFetch.setFetchHandler((options) => {
  const { method = 'GET', url, headers = {} } = options;
  sent.push({ method, url, override: headers['X-HTTP-Method-Override'] ?? null });
  return apiFetch.defaultFetchHandler(options);
});

export async function recorded(options) {
  sent.length = 0;
  const answer = await apiFetch(options);
  return { answer, sent: [...sent] };
}

// What is thrown: an object with code and message, or with `parse: false` the response itself.
export async function thrown(options) {
  try {
    await apiFetch(options);
    return null;
  } catch (error) {
    if (error instanceof Response) return { response: error.status, ...(await error.json()) };
    return error;
  }
}

export { apiFetch };
