import { cacheDirectoryFor } from '#lab/cacheDirectory.ts';
import { readLabArguments } from '#lab/registry.ts';
import type { Leaf } from '#core/import/recording/leaves.ts';
import { startShop } from './shop.ts';
import { ACCOUNTS, type Application, type Person, startApplication } from './application.ts';
import { aspnet, django, plone, rails } from './apps/forms.ts';
import { mediawiki, wordpress } from './apps/content.ts';
import { basic, jwt, oauth, oneTime } from './apps/scripts.ts';

interface RunningSubject {
  readonly url: string;
  readonly accounts: readonly { readonly userName: string; readonly password: string }[];
  readonly issued: ReadonlySet<string>;
  /** Returns whether a value is dynamic. This is needed if a server does not record which values it generated. */
  isDynamic(leaf: Leaf): boolean;
  stop(): Promise<void>;
}

export interface Subject {
  readonly name: string;
  readonly userField: string;
  readonly isBasic: boolean;
  readonly journeys: Readonly<Record<string, (person: Person) => Promise<void>>>;
  start(): Promise<RunningSubject>;
}

function applicationSubject(application: Application, userField: string, isBasic = false): Subject {
  return {
    name: application.name,
    userField,
    isBasic,
    journeys: application.journeys,
    start: async () => ({ ...(await startApplication(application)), accounts: ACCOUNTS, isDynamic: () => false }),
  };
}

interface LabSubject {
  readonly words: readonly string[];
  readonly userField: string;
  readonly isDynamic: (leaf: Leaf) => boolean;
  readonly journeys: Subject['journeys'];
}

function labSubject(name: string, { words, userField, isDynamic, journeys }: LabSubject): Subject {
  return {
    name,
    userField,
    isBasic: false,
    journeys,
    start: async () => {
      const { lab, given } = readLabArguments(words);
      const runningLab = await lab.start(given, {
        entry: new URL('../../src/lab/main.ts', import.meta.url),
        cacheDirectory: cacheDirectoryFor(process.env),
        environment: process.env,
        onProgress: () => {},
      });
      return {
        url: runningLab.urls[0] ?? '',
        accounts: runningLab.accounts.slice(0, 2).map(({ username, password }) => ({ userName: username, password })),
        issued: new Set<string>(),
        isDynamic,
        stop: () => runningLab.stop(),
      };
    },
  };
}

async function logInAtContest(person: Person): Promise<void> {
  await person.open('/');
  await person.fill('User name', person.userName);
  await person.fill('Password', person.password);
  await person.click('button', 'Log in');
}

const contest = labSubject('Contest (practice)', {
  words: ['contest', '--port', '19910', '--service-ms', '5', '--evaluation-ms', '300'],
  userField: 'username',
  isDynamic: ({ name, location, value }) => name === '_xsrf' || (location === 'path' && name === 'submissions' && value !== ''),
  journeys: {
    'ask a question': async (person) => {
      await logInAtContest(person);
      await person.click('link', 'Communication');
      await person.fill('Subject', 'Lanterns');
      await person.fill('Text', 'May a lantern stand on a bridge?');
      await person.click('button', 'Ask');
    },
    'hand in': async (person) => {
      await logInAtContest(person);
      await person.open('/tasks/coprobber/submissions');
      person.did('click', 'Submit', 'button');
      const token = await person.page.evaluate(() => document.querySelector<HTMLInputElement>('main [name="_xsrf"]')?.value ?? '');
      person.uploaded([
        { name: '_xsrf', value: token },
        { name: 'coprobber.%l', fileName: 'coprobber.cpp', contentType: 'text/x-c++src', comment: '27 bytes' },
      ]);
      await person.page.evaluate(async () => {
        const form = new FormData();
        form.set('_xsrf', document.querySelector<HTMLInputElement>('main [name="_xsrf"]')?.value ?? '');
        form.set('coprobber.%l', new File(['int main() { return 0; }\n'], 'coprobber.cpp', { type: 'text/x-c++src' }));
        await (await fetch('/tasks/coprobber/submit', { method: 'POST', body: form })).text();
        await (await fetch('/tasks/coprobber/submissions/1')).json();
      });
    },
    'log out': async (person) => {
      await logInAtContest(person);
      await person.click('button', 'Log out');
    },
  },
});

async function logInAtSchool(person: Person): Promise<void> {
  await person.open('/login');
  await person.fill('User name', person.userName);
  await person.fill('Password', person.password);
  await person.click('button', 'Sign in');
}

const school = labSubject('School site (practice)', {
  words: ['school-site', '--port', '19950', '--service-ms', '5'],
  userField: '__ac_name',
  isDynamic: ({ name }) => /^(_authenticator|seed|template_?id|question_?id|token)$/i.test(name),
  journeys: {
    'log in': logInAtSchool,
    'look at a question': async (person) => {
      await logInAtSchool(person);
      await person.open('/@@practice/select_chapter/5');
    },
    read: async (person) => {
      await person.open('/');
    },
  },
});

const survey = labSubject('Survey (practice)', {
  words: ['survey-lab', '--port', '19930'],
  userField: 'user',
  isDynamic: ({ name }) => name === 'auth_token',
  journeys: {
    'read campaigns': async (person) => {
      await person.open('/web/home');
      person.did('click', 'Log in', 'button');
      await person.page.evaluate(
        async ({ user, password }) => {
          const post = async (path: string, body: URLSearchParams): Promise<{ token?: string }> =>
            (await fetch(`/app/${path}`, { method: 'POST', body })).json();
          const { token = '' } = await post('user/auth_token', new URLSearchParams({ user, password, client: 'phone' }));
          await post('campaign/read', new URLSearchParams({ auth_token: token, client: 'phone', output_format: 'short' }));
        },
        { user: person.userName, password: person.password },
      );
    },
    'who am I': async (person) => {
      await person.open('/web/home');
      await person.page.evaluate(
        async ({ user, password }) => {
          await fetch('/app/user/auth_token', { method: 'POST', body: new URLSearchParams({ user, password, client: 'web' }) });
          await (await fetch('/app/user/whoami?client=web')).json();
        },
        { user: person.userName, password: person.password },
      );
    },
    'read responses': async (person) => {
      await person.open('/web/home');
      await person.page.evaluate(
        async ({ user, password }) => {
          const response = await fetch('/app/user/auth_token', {
            method: 'POST',
            body: new URLSearchParams({ user, password, client: 'phone' }),
          });
          const { token = '' }: { token?: string } = await response.json();
          const query = new URLSearchParams({
            auth_token: token,
            client: 'phone',
            campaign_urn: 'urn:campaign:lab:snack',
            user_list: user,
            column_list: 'urn:ohmage:special:all',
            output_format: 'json-rows',
          });
          await (await fetch(`/app/survey_response/read?${query}`)).json();
        },
        { user: person.userName, password: person.password },
      );
    },
  },
});

const node = labSubject('Node pages (practice)', {
  words: ['node-vs-gunicorn', '--port', '19970', '--replicas', '1', '--service-ms', '20'],
  userField: '',
  isDynamic: () => false,
  journeys: {
    ping: async (person) => person.open('/node/ping'),
    'three pages': async (person) => {
      await person.open('/node/ping');
      await person.open('/gunicorn/ping');
      await person.open('/node/timeout');
    },
    'not there': async (person) => {
      await person.open('/node/ping');
      await person.open('/nowhere');
    },
  },
});

/** The shop, which has only one account. */
const shop: Subject = {
  name: 'Shop',
  userField: 'username',
  isBasic: false,
  start: async () => {
    const runningShop = await startShop(19_990, 19_991);
    return {
      url: runningShop.url,
      accounts: [{ userName: 'ada', password: 'correct horse' }],
      issued: new Set<string>(),
      isDynamic: ({ name, location, value }) =>
        /^authorization$/i.test(name) || (location === 'path' && name === 'orders' && /^\d+$/.test(value)) || name === 'order',
      stop: () => runningShop.stop(),
    };
  },
  journeys: {
    visit: async (person) => {
      await person.open('/');
      await person.click('link', 'An old address');
    },
    'log in and look': async (person) => {
      await person.open('/account');
      await person.page.evaluate(`shop.logIn('ada', 'correct horse')`);
      await person.page.evaluate(`shop.ask('GET', '/api/orders?page=1')`);
    },
    'order, pay and take back': async (person) => {
      await person.open('/account');
      await person.page.evaluate(`shop.logIn('ada', 'correct horse')`);
      const { id } = await person.page.evaluate<{ id: number }>(
        `shop.ask('POST', '/api/orders', { items: [{ article: 'lantern', count: 2 }], gift: null })`,
      );
      await person.page.evaluate(`shop.ask('GET', '/api/orders/${id}')`);
      await person.page.evaluate(`shop.ask('PATCH', '/api/orders/${id}', { state: 'paid', order: ${id} })`);
      await person.page.evaluate(`shop.ask('DELETE', '/api/orders/${id}')`);
    },
  },
};

export const SUBJECTS: readonly Subject[] = [
  applicationSubject(django, 'username'),
  applicationSubject(rails, 'session[login]'),
  applicationSubject(aspnet, 'ctl00$user'),
  applicationSubject(plone, '__ac_name'),
  applicationSubject(wordpress, 'log'),
  applicationSubject(mediawiki, 'lgname'),
  applicationSubject(jwt, 'username'),
  applicationSubject(oauth, 'username'),
  applicationSubject(oneTime, ''),
  applicationSubject(basic, '', true),
  contest,
  school,
  survey,
  node,
  shop,
];
