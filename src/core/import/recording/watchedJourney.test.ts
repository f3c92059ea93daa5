import { describe, expect, it } from 'vitest';
import { watchPageSchema } from '#core/plan/schema/watchPages.ts';
import { findWatchedJourney } from './watchedJourney.ts';
import { formatWatched } from './notes.ts';

const MARK = '{{holdfast-password-1}}';
const ACCOUNT = { number: 1, userField: 'user', userName: 'adalovelace' };

interface RecordedAction {
  readonly kind: string;
  readonly text?: string;
  readonly role?: string;
  readonly title?: string;
  /** Address that the action opened. */
  readonly url?: string;
  readonly form?: string;
  readonly type?: string;
  readonly html?: string;
}

const LOGIN_PAGE: RecordedAction = {
  kind: 'open',
  text: '/login',
  title: 'Log in',
  url: 'http://a.example/login',
  html: '<input name=token value=t0ken>',
};
const LOG_IN: RecordedAction = {
  kind: 'submit',
  text: 'Log in',
  role: 'button',
  title: 'Welcome adalovelace',
  url: 'http://a.example/login',
  form: `user=adalovelace&password=${encodeURIComponent(MARK)}&token=t0ken`,
};

function buildJourney(done: readonly RecordedAction[], isFed = true) {
  const entries = done.flatMap(({ url, form, type, html }, index) =>
    url === undefined
      ? []
      : [
          {
            _action: index,
            _resourceType: 'document',
            request: {
              url,
              method: form === undefined ? 'GET' : 'POST',
              ...(form === undefined ? {} : { postData: { mimeType: type ?? '', text: form } }),
            },
            response: { content: { text: html ?? '' } },
          },
        ],
  );
  const actions = done.map(({ kind, text = '', role = 'page', title = '' }) => ({ kind, text, role, title }));
  return findWatchedJourney({ log: { _actions: actions, entries } }, [ACCOUNT], { target: 'http://a.example/', isFed });
}

describe('findWatchedJourney', () => {
  it('repeats the clicks and logs in with the account of the plan', () => {
    const found = buildJourney([
      LOGIN_PAGE,
      LOG_IN,
      { kind: 'mark', text: 'from here' },
      { kind: 'click', text: 'Sum of two', role: 'link', title: 'Sum of two', url: 'http://a.example/task/1' },
      { kind: 'click', text: 'Show hint', role: 'button', title: 'Sum of two' },
      { kind: 'open', text: '/rank', title: 'Ranking at 10:31', url: 'http://a.example/rank?of=all' },
    ]);
    expect(found?.endsBefore).toBeNull();
    expect(found?.page).toMatchObject({
      url: '/login',
      steps: [
        {
          name: 'Log in',
          fill: { 'css=[name="user"]': '{{account.username}}', 'css=[name="password"]': '{{account.password}}' },
          click: 'Log in',
        },
        { name: 'Open Sum of two', click: 'Sum of two', title: 'Sum of two' },
        { name: 'Show hint', click: 'Show hint', title: 'Sum of two' },
        { name: 'Open Ranking at 10:31', url: '/rank?of=all' },
      ],
    });
    // Titles that contain a user name or a time are not checked.
    expect(found?.page.steps?.flatMap(({ title }) => title ?? [])).toEqual(['Sum of two', 'Sum of two']);
    expect(watchPageSchema.safeParse(found?.page).success).toBe(true);
    expect(JSON.stringify(found)).not.toMatch(/adalovelace|holdfast-password|t0ken/);
    expect(Object.values(buildJourney([LOGIN_PAGE, LOG_IN], false)?.page.steps?.[0]?.fill ?? {})).toEqual(['{{username}}', '{{password}}']);
  });

  it('logs in with a multipart form, too', () => {
    const part = (name: string, value: string): string => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const form = `${part('user', 'adalovelace')}${part('password', MARK)}${part('token', 't0ken')}--x--\r\n`;
    const found = buildJourney([LOGIN_PAGE, { ...LOG_IN, form, type: 'multipart/form-data; boundary=x' }]);
    expect(found?.endsBefore).toBeNull();
    expect(found?.page.steps?.[0]?.fill).toEqual({
      'css=[name="user"]': '{{account.username}}',
      'css=[name="password"]': '{{account.password}}',
    });
  });

  it('selects what the person selected, if a form sends it', () => {
    const question: RecordedAction = {
      kind: 'click',
      text: 'Question',
      role: 'link',
      url: 'http://a.example/question',
      html: `<form method=post><input type=radio name=answer value=rhine> The Rhine <input type=radio name=answer value=meuse> The Meuse
        <input type=checkbox name=sure value=yes> Sure <select name=lang><option value=en selected>English</option><option value=de>Deutsch</option></select>
        <input type=radio name="q[7002]" value=7100> Ada</form>`,
    };
    const choose: RecordedAction = { kind: 'choose', text: 'The Meuse', role: 'field' };
    const send: RecordedAction = {
      kind: 'submit',
      text: 'Send',
      role: 'button',
      url: 'http://a.example/question',
      form: 'answer=meuse&sure=yes&lang=de&q%5B7002%5D=7100',
    };
    const found = buildJourney([LOGIN_PAGE, LOG_IN, question, choose, { ...choose, text: 'lang' }, send]);
    expect(found?.endsBefore).toBeNull();
    expect(found?.page.steps?.at(-1)).toEqual({
      name: 'Send',
      fill: {
        'css=[name="answer"][value="meuse"]': 'meuse',
        'css=[name="sure"][value="yes"]': 'yes',
        'css=[name="lang"]': 'de',
        // The numbers that a page assigns to options differ for each user.
        Ada: '7100',
      },
      click: 'Send',
    });
    // If no form sends the choice, it is unknown.
    for (const later of [[], [{ kind: 'click', text: 'Show', role: 'button' }], [{ ...send, form: 'token=t0ken' }]])
      expect(buildJourney([LOGIN_PAGE, LOG_IN, question, choose, ...later])?.endsBefore).toBe('Choose The Meuse');
  });

  it('ends before an action that a browser cannot repeat, and reports the action', () => {
    const solution: RecordedAction = {
      kind: 'submit',
      text: 'Submit',
      role: 'button',
      url: 'http://a.example/task/1',
      form: 'text=print(1)&token=t0ken',
    };
    const enders: RecordedAction[] = [
      solution,
      { kind: 'choose', text: 'Language', role: 'field' },
      { kind: 'click', text: '', role: 'button' },
      { kind: 'click', text: 'Away', role: 'link', url: 'http://evil.example/' },
      { kind: 'open', text: 'evil', url: 'http://evil.example/' },
    ];
    for (const one of enders) {
      const found = buildJourney([LOGIN_PAGE, LOG_IN, one, { kind: 'click', text: 'Later', role: 'button' }]);
      expect(
        found?.page.steps?.map(({ name }) => name),
        one.kind,
      ).toEqual(['Log in']);
      expect(found?.endsBefore).not.toBeNull();
    }
    const ended = buildJourney([LOGIN_PAGE, LOG_IN, solution]);
    expect(formatWatched({ steps: 1, endsBefore: ended?.endsBefore ?? null })).toBe(
      'A browser takes the journey beside the load: its first page and 1 step. It ends before “Submit”, which a browser cannot repeat.',
    );
    // The first value was not entered by the person, because an earlier page contains it.
    expect(buildJourney([LOGIN_PAGE, LOG_IN, { ...solution, form: 'token=t0ken' }])?.endsBefore).toBeNull();
    const many = Array.from({ length: 15 }, () => ({ kind: 'click', text: 'More', role: 'button' }));
    expect(buildJourney([LOGIN_PAGE, ...many])?.page.steps).toHaveLength(10);
  });

  it('returns null if the journey does not begin at the target', () => {
    expect(buildJourney([{ ...LOGIN_PAGE, url: 'http://evil.example/' }])).toBeNull();
    expect(buildJourney([LOG_IN])).toBeNull();
    expect(findWatchedJourney(null, [], { target: 'http://a.example/', isFed: false })).toBeNull();
    expect(formatWatched(null)).toContain('does not begin');
  });
});
