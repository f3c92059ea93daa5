import type { Plan } from '#core/plan/schema/plan.ts';
import type { Features } from './features.ts';
import { fetchAll, type Helper, judge, pageEnded, rest, stage, waitForBell } from './planHelpers.ts';

/** Helper functions in the order in which a script defines them. An entry that is a function builds a helper that depends on the plan. */
const HELPERS = {
  judge,
  satisfaction: {
    text: `/** The Apdex value of a response: 1 within the limit, 0.5 within four times the limit. */
function satisfaction(tookMs, maxMs) {
  if (tookMs <= maxMs) return 1;
  return tookMs <= 4 * maxMs ? 0.5 : 0;
}`,
  },
  elapsed: {
    imports: ['exec'],
    text: `/** Seconds since the first scenario of the plan began. */
function elapsed() {
  return SCENARIOS[exec.scenario.name].begins + (Date.now() - exec.scenario.startTime) / 1000;
}`,
  },
  stage,
  basic: {
    imports: ['b64encode'],
    text: `/** The header Authorization of HTTP Basic (RFC 7617). */
function basic(user, password) {
  return \`Basic \${b64encode(\`\${user}:\${password}\`)}\`;
}`,
  },
  waitForBell,
  isOver: {
    imports: ['exec'],
    needs: ['elapsed'],
    text: `/** Whether the load has ended: requests in flight may finish, and no more begin. */
function isOver() {
  return elapsed() >= SCENARIOS[exec.scenario.name].ends;
}`,
  },
  rest,
  payPause: {
    imports: ['sleep'],
    text: `/** The pause after the previous step; there is none after the last one. */
function payPause() {
  if (owedPause > 0) sleep(owedPause);
  owedPause = 0;
}`,
  },
  follow: {
    imports: ['http'],
    needs: ['resolve', 'originOf', 'looksLikeLogin', 'asksForPassword', 'judge'],
    text: `/**
 * Follows redirects, each request with its own figures. \`lost\` says why it stopped: at another server, in a circle, or
 * at a login page, where a logged-in user is not sent: its address looks like one, and it asks for a password.
 */
function follow(first, { most, mayEndAtLogin }, ask) {
  let response = first;
  let isRepeated = true;
  let isSuspect = false;
  const seen = new Set();
  for (let hops = 1; [301, 302, 303, 307, 308].includes(response.status) && response.headers.Location !== undefined; hops += 1) {
    const to = resolve(response.url, response.headers.Location);
    isRepeated = isRepeated && response.status >= 307;
    const here = \`\${isRepeated} \${to} \${to === null ? '' : JSON.stringify(http.cookieJar().cookiesForURL(to))}\`;
    if (to === null || originOf(to) !== originOf(response.url)) return { response, lost: 'to another server' };
    isSuspect = isSuspect || (!mayEndAtLogin && looksLikeLogin(response.url, to));
    if (seen.has(here)) return { response, lost: 'in a circle' };
    if (hops > most) return { response, lost: \`more than \${most} times\` };
    seen.add(here);
    count(true, response);
    response = ask(to, isRepeated);
  }
  return { response, lost: isSuspect && asksForPassword(response.body) ? 'to a login page' : null };
}`,
  },
  looksLikeLogin: {
    text: `/** Whether the address of a redirect looks like a login: by its path, or because it passes on the requested page. */
function looksLikeLogin(from, to) {
  const path = (address) => address.replace(/^https?:\\/\\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  const login = /(^|[/_.-])(log-?_?in|log-?_?on|sign-?_?in|sso|cas|auth|oauth2?|saml2?|session|sessions)([/_.-]|$)/i;
  const names = (/\\?([^#]*)/.exec(to)?.[1] ?? '').split('&').map((pair) => pair.split('=')[0].toLowerCase());
  if (names.some((name) => /^(log_?in|auth|sign_?in)_?(error|failed|failure)$/.test(name))) return true;
  if (login.test(path(from))) return false;
  const wanted =
    /^(next|came_from|continue|dest|destination|goto|redirect|redirect_to|redirect_uri|return|returnto|return_to|returnurl|return_url|service|target|url|referer|from)$/;
  return login.test(path(to)) || names.some((name) => wanted.test(name));
}`,
  },
  asksForPassword: {
    text: `function asksForPassword(body) {
  return typeof body === 'string' && /<input\\b[^<>]*\\btype\\s*=\\s*["']?password/i.test(body);
}`,
  },
  resolve: {
    text: `/** The full address of a link on the page \`base\`, without its fragment; null for what is not requested from a server. k6 has no URL. */
function resolve(base, link) {
  const text = link.trim().replace(/#.*$/s, '');
  const [, origin, path] = /^(https?:\\/\\/[^/?#]*)([^?#]*)/i.exec(base);
  if (/^https?:\\/\\//i.test(text)) return text.replace(/^(https?:\\/\\/[^/?#]*)$/i, '$1/');
  if (text.startsWith('//')) return resolve(base, origin.replace(/\\/\\/.*$/, '') + text);
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return null;
  if (text === '') return base.replace(/#.*$/s, '');
  if (text.startsWith('?')) return \`\${origin}\${path || '/'}\${text}\`;
  const [, way, query] = /^([^?]*)(.*)$/s.exec(text);
  const parts = (way.startsWith('/') ? way : \`\${path.replace(/[^/]*$/, '') || '/'}\${way}\`).split('/');
  const kept = [];
  parts.forEach((part, index) => {
    const isLast = index === parts.length - 1;
    if (part === '..' && kept.length > 1) kept.pop();
    if (part !== '.' && part !== '..') kept.push(part);
    else if (isLast) kept.push('');
  });
  return \`\${origin}\${kept.join('/')}\${query}\`;
}`,
  },
  originOf: {
    text: `function originOf(address) {
  const [origin] = /^https?:\\/\\/[^/?#]*/i.exec(address.toLowerCase());
  return origin.replace(/^(http:.*):80$/, '$1').replace(/^(https:.*):443$/, '$1');
}`,
  },
  placeOf: {
    needs: ['resolve', 'originOf'],
    text: `/** Path and query of a link in a response; undefined for another server, or without a link. */
function placeOf(response, link) {
  const to = link === undefined ? null : resolve(response.url, link);
  return to === null || originOf(to) !== originOf(response.url) ? undefined : to.replace(/^https?:\\/\\/[^/?#]*/i, '');
}`,
  },
  placesOf: {
    needs: ['placeOf'],
    text: `/** The same of each link; those to other servers are left out. */
function placesOf(response, links) {
  return links.flatMap((link) => placeOf(response, link) ?? []);
}`,
  },
  fetchAll,
  pageEnded,
  matches: {
    text: `/** What a pattern finds in the body of a response: one group of each match. */
function matches(response, pattern, group) {
  return [...(response.body ?? '').matchAll(pattern)].map((match) => match[group] ?? '');
}`,
  },
  between: {
    text: `/** Each text between two texts in the body of a response. */
function between(response, after, before) {
  const text = response.body ?? '';
  const found = [];
  for (let at = text.indexOf(after); at >= 0; ) {
    const end = text.indexOf(before, at + after.length);
    if (end < 0) break;
    found.push(text.slice(at + after.length, end));
    at = text.indexOf(after, end + before.length);
  }
  return found;
}`,
  },
  header: {
    text: `/** A header of a response, or what a pattern finds in it. */
function header(response, name, pattern = null) {
  const text = response.headers[name];
  const match = text === undefined || pattern === null ? null : pattern.exec(text);
  return pattern === null ? text : (match?.[1] ?? match?.[0]);
}`,
  },
  loginForm: {
    needs: ['placeOf', 'formEncode', 'fromHtml'],
    text: `/** The form of a page with one field for a password: where it leads, the names of its fields, and the others as they are sent. */
function loginForm(response) {
  const of = (tag, name) => {
    const found = tag.match(new RegExp('\\\\s' + name + '(?:\\\\s*=\\\\s*(?:"([^"]*)"|\\'([^\\']*)\\'|([^\\\\s>]+)))?(?=[\\\\s/>])', 'i'));
    return found === null ? undefined : fromHtml(found[1] ?? found[2] ?? found[3] ?? '');
  };
  for (const [form] of (response.body ?? '').matchAll(/<form\\b[^]*?(?:<\\/form|$)/gi)) {
    const tag = form.slice(0, form.indexOf('>') + 1);
    const fields = [...form.matchAll(/<(?:input|button)\\b[^>]*>/gi)].map(([field]) => ({
      type: (of(field, 'type') ?? (/^<b/i.test(field) ? 'submit' : 'text')).toLowerCase(),
      name: of(field, 'name'),
      value: of(field, 'value') ?? '',
      isTicked: of(field, 'checked') !== undefined,
    }));
    const named = fields.filter(({ name }) => name !== undefined && name !== '');
    const [password, ...others] = named.filter(({ type }) => type === 'password');
    if (password === undefined || others.length > 0 || (of(tag, 'method') ?? '').toUpperCase() !== 'POST') continue;
    const texts = named.filter(({ type }) => type === 'text' || type === 'email');
    const sent = named.filter(({ type, isTicked }) => type === 'hidden' || type === 'submit' || isTicked);
    return {
      action: placeOf(response, of(tag, 'action') || response.url),
      username: texts.filter((text) => named.indexOf(text) < named.indexOf(password)).at(-1)?.name,
      password: password.name,
      others: sent.map(({ name, value }) => formEncode(name) + '=' + formEncode(value)).join('&'),
    };
  }
  return {};
}`,
  },
  jsonOf: {
    text: `/** The body of a response as JSON; undefined if it is not JSON. */
function jsonOf(response) {
  try {
    return JSON.parse(response.body);
  } catch {
    return undefined;
  }
}`,
  },
  jsonAt: {
    needs: ['jsonOf'],
    text: `/** The value at a path into the JSON of a response; undefined if there is none. */
function jsonAt(response, ...path) {
  let place = jsonOf(response);
  for (const part of path) {
    const fits = Array.isArray(place) ? typeof part === 'number' : typeof part === 'string';
    if (typeof place !== 'object' || place === null || !fits || !Object.hasOwn(place, part)) return undefined;
    place = place[part];
  }
  return place;
}`,
  },
  jsonTexts: {
    needs: ['jsonAt'],
    text: `/** The same as texts: of a list, each of its items. */
function jsonTexts(response, ...path) {
  const found = jsonAt(response, ...path);
  const present = [found].flat(1).filter((item) => item !== undefined && item !== null);
  return present.map((item) => (typeof item === 'string' ? item : JSON.stringify(item)));
}`,
  },
  jsonItems: {
    text: `/** What stands at a path into each item of a list. */
function jsonItems(list, path) {
  const items = Array.isArray(list) ? list : [];
  const at = (place, part) => (typeof place === 'object' && place !== null && Object.hasOwn(place, part) ? place[part] : undefined);
  return items.map((item) => path.reduce(at, item)).filter((found) => found !== undefined);
}`,
  },
  textsOfJson: {
    text: `/** Values of JSON as texts. */
function textsOfJson(values) {
  return values.filter((value) => value !== null).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
}`,
  },
  bytesOf: {
    text: `/** Bytes of a body: from its header, else in UTF-8 after decompression. */
function bytesOf(response) {
  const length = Number(response.headers['Content-Length']);
  return Number.isInteger(length) ? length : encodeURIComponent(response.body ?? '').replace(/%../g, '.').length;
}`,
  },
  fromHtml: {
    text: `/** Decodes the HTML entities of attributes. */
function fromHtml(text) {
  const names = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\\u00a0' };
  return text.replace(/&(?:#x([\\da-f]{1,6})|#(\\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return names[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}`,
  },
  anyOf: {
    text: `/** One of a list; undefined of an empty one. */
function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}`,
  },
  textOf: {
    text: `/** Letters and digits, others each time. */
function textOf(length) {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}`,
  },
  someOf: {
    text: `/** A list that must not be empty; undefined when it is. */
function someOf(list) {
  return list.length === 0 ? undefined : list;
}`,
  },
  wholeNumber: {
    text: `/** A whole number, both ends included. */
function wholeNumber(from, to) {
  return from + Math.floor(Math.random() * (to - from + 1));
}`,
  },
  value: {
    imports: ['fail'],
    text: `/** A value that an earlier step must have found; without it the journey ends. */
function value(name) {
  if (values[name] === undefined) fail(\`{{\${name}}} has no value.\`);
  return values[name];
}`,
  },
  cookie: {
    imports: ['http', 'fail'],
    text: `/** A cookie as it would be sent to an address. */
function cookie(name, url) {
  const [found] = http.cookieJar().cookiesForURL(url)[name] ?? [];
  if (found === undefined) fail(\`The cookie \${name} is not set.\`);
  return found;
}`,
  },
  encode: {
    text: `/** A value encoded for any part of an address. */
function encode(text) {
  return encodeURIComponent(text).replace(/[!'()*]/g, (letter) => \`%\${letter.charCodeAt(0).toString(16).toUpperCase()}\`);
}`,
  },
  formEncode: {
    needs: ['encode'],
    text: `/** A value encoded for a form. */
function formEncode(text) {
  return encode(text).replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E');
}`,
  },
  inJson: {
    text: `/** A value encoded for a JSON string, without quotes. */
function inJson(text) {
  return JSON.stringify(String(text)).slice(1, -1);
}`,
  },
  textForm: {
    text: `/** A multipart form without files: k6 makes one only if there is a file. */
function textForm(fields) {
  const parts = fields.map(([name, text, type]) => {
    const escaped = name.replaceAll('\\n', '%0A').replaceAll('\\r', '%0D').replaceAll('"', '%22');
    const typed = type === undefined ? '' : \`\\r\\nContent-Type: \${type}\`;
    return \`--\${BOUNDARY}\\r\\nContent-Disposition: form-data; name="\${escaped}"\${typed}\\r\\n\\r\\n\${text}\\r\\n\`;
  });
  return \`\${parts.join('')}--\${BOUNDARY}--\\r\\n\`;
}`,
  },
  filled: {
    text: `/** A form field as a list of one; empty fields are left out. */
function filled(name, text) {
  return text === '' ? [] : [[name, text]];
}`,
  },
  byEnding: {
    text: `/** The text for the ending of a file name; empty for other endings. */
function byEnding(fileName, texts) {
  const [, ending] = /\\.(\\w+)$/.exec(fileName) ?? [];
  return ending !== undefined && Object.hasOwn(texts, ending) ? texts[ending]() : '';
}`,
  },
  draw: {
    text: `/** The index of a weight, drawn in proportion to the weights; −1 if all are 0. */
function draw(weights, place = Math.random()) {
  let left = place * weights.reduce((sum, weight) => sum + weight, 0);
  return weights.findIndex((weight) => (left -= weight) < 0);
}`,
  },
} satisfies Readonly<Record<string, Helper | ((plan: Plan, features: Features) => Helper)>>;
export type HelperName = keyof typeof HELPERS;

export const HELPER_NAMES: readonly string[] = Object.keys(HELPERS);

/** Returns the wanted helpers and those that they need, in the order of scripts. */
export function listHelpers(plan: Plan, features: Features, wanted: ReadonlySet<string>): Helper[] {
  const all = new Map<string, Helper>(
    Object.entries(HELPERS).map(([name, helper]) => [name, typeof helper === 'function' ? helper(plan, features) : helper]),
  );
  const found = new Set<string>();
  const requireHelper = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    all.get(name)?.needs?.forEach(requireHelper);
  };
  wanted.forEach(requireHelper);
  return [...all].flatMap(([name, helper]) => (found.has(name) ? [helper] : []));
}
