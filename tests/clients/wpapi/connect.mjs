// Finds the API from the site's own address, as a visitor or signed in, and says what a refusal says.
import WPAPI from 'wpapi';

export const { SITE_HOME: home, SITE_LOGIN: username, SITE_PASSWORD: password } = process.env;

export async function connect(credentials) {
  const site = await WPAPI.discover(home);
  if (credentials) site.auth(credentials);
  return { cms: site.namespace('cms/v2'), root: site._options.endpoint };
}

export const signIn = () => connect({ username, password });

export async function refusal(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    const { code, message, data: { status, params = [] } = {} } = error;
    return { code, message, status, params: Array.isArray(params) ? params : Object.keys(params) };
  }
}

export const print = (outcome) => console.log(JSON.stringify(outcome));
