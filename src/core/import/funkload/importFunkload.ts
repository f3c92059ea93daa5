import { readAddress } from '../address.ts';
import { Draft } from '../draft.ts';
import { refuse, type ImportResult } from '../imported.ts';
import { Configuration } from './configuration.ts';
import { loadOf, pausesOf, thinkTimeOf } from './cycles.ts';
import { fetchingOf, pageFields } from './fetching.ts';

/** Whether a text is the configuration of a FunkLoad test: it has cycles of users in a section [bench]. */
export function isFunkload(text: string): boolean {
  return /^\[bench\]/m.test(text) && /^cycles?[ \t]*[=:]/m.test(text);
}

/** Makes a plan of the configuration of a FunkLoad test. Its steps are in a test of Python, which is not in it: the plan requests the main page. */
export function importFunkload(text: string): ImportResult {
  const draft = new Draft('funkload');
  const configuration = new Configuration(text);
  const url = configuration.get('main', 'url') ?? '';
  const address = readAddress(url);
  if (address === null)
    return refuse(
      'NO_ADDRESS',
      'main.url',
      url === '' ? 'The configuration names no server.' : 'Its url is not an http or https address.',
      'Add url=http://… to the section [main].',
    );
  const tests = configuration.names.filter((name) => name.startsWith('test_'));
  draft.leftOut(
    tests
      .map((name) => `[${name}]`)
      .join(' ')
      .slice(0, 120),
    'The requests are in a Python test outside this file.',
    'The plan requests the main page. Add steps, record them with a browser, or find the pages on the site.',
  );
  for (const name of ['monitor', 'credential'])
    if (configuration.has(name))
      draft.leftOut(`[${name}]`, name === 'monitor' ? 'FunkLoad’s own monitors watch hosts.' : 'Accounts come from a FunkLoad server.');
  const agent = configuration.get('main', 'user_agent');
  const load = loadOf(draft, configuration);
  const pauses = pausesOf(configuration);
  const thinkTime = pauses.afterTest === 0 ? undefined : thinkTimeOf(pauses, pauses.afterTest);
  draft.addStep(
    {
      name: 'Main page',
      path: address.path,
      ...pageFields(fetchingOf(configuration), { mayEndAtLogin: true }),
      ...(thinkTime === undefined ? {} : { thinkTime }),
    },
    'main.url',
  );
  return draft.finish({
    name: configuration.get('main', 'title') ?? 'FunkLoad test',
    story: configuration.get('main', 'description') ?? '',
    targets: [{ url: `${address.origin}/`, ...(agent === null ? {} : { headers: { 'User-Agent': agent } }) }],
    load,
    settings: { cookies: 'journey', connections: { reuse: 'never' } },
  });
}
