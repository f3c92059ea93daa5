import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { MAX_QUOTE_LENGTH, findServerMessage } from './serverWords.ts';

const page = (body: string, title = 'Edit'): string =>
  `<!DOCTYPE html><html><head><title>${title}</title><style>.error{}</style></head><body>${body}<p>${'Rules of the site. '.repeat(40)}</p></body></html>`;

describe('findServerMessage for a failure', () => {
  it.each([
    ['an alert', '<div role="alert">Too late: the <b>contest</b> is over.</div>', 'Too late: the contest is over.'],
    ['an alert that is empty, then one that is not', '<p role="alert"></p><p class="error">No seat left</p>', 'No seat left'],
    ['an alert that is hidden', '<p role="alert" style="display: none">Network</p><ul class="errorlist"><li>Taken</li></ul>', 'Taken'],
    ['a message behind a marked field', '<div class="error"><label>Name</label></div><p class="errornote">Correct it</p>', 'Correct it'],
    ['a flash', '<div class="flash error" id="flash_error">Invalid user or password</div>', 'Invalid user or password'],
    ['a list of errors', '<div id="errorExplanation"><ul><li>Subject cannot be blank</li></ul></div>', 'Subject cannot be blank'],
    ['two', '<p class="errornote">Correct the error below.</p><ul class="errorlist"><li>Taken</li></ul>', 'Correct the error below. Taken'],
    ['a conflict', '<div class="conflict">Somebody else has changed it</div>', 'Somebody else has changed it'],
    ['entities', '<p class="notifyproblem">Caf&eacute; &amp; bar</p>', 'Café & bar'],
  ])('returns the message of a page from %s', (_what, body, words) => expect(findServerMessage(page(body), 200)).toBe(words));

  it('returns the title or heading of an error page, never the status alone', () => {
    const value = 'User app has exceeded the &#x27;max_user_connections&#x27; resource';
    expect(findServerMessage(page(`<pre class="exception_value">(1226, "${value}")</pre>`, 'OperationalError at /'), 500)).toBe(
      `(1226, "User app has exceeded the 'max_user_connections' resource")`,
    );
    expect(findServerMessage(page('<h1>Whoops</h1>', 'OperationalError at /'), 500)).toBe('OperationalError at /');
    expect(findServerMessage(page('<h1>No database connection</h1>', '500 Internal Server Error'), 500)).toBe('No database connection');
    expect(
      findServerMessage('<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>', 502),
    ).toBeNull();
    expect(findServerMessage(page('<b>Fatal error</b>: Uncaught Exception: too many connections in /srv/x.php'), 200)).toBe(
      'Uncaught Exception: too many connections in /srv/x.php',
    );
    expect(findServerMessage(page('<h1>Lesson</h1>'), 200)).toBeNull();
    expect(findServerMessage('<form><h2>Add a comment</h2><textarea name="text"></textarea><button>Send</button></form>', 500)).toBeNull();
    expect(
      findServerMessage('<html><head><title>Index</title></head><body><a href="index.php">index...</a></body></html>', 302),
    ).toBeNull();
    const blanks = '\n'.repeat(500);
    expect(
      findServerMessage(
        `<title>Lessons</title><ul>${blanks}<li>Home</li>${blanks}<li>Help</li></ul>${'<p>One more lesson</p>'.repeat(50)}`,
        200,
      ),
    ).toBeNull();
  });

  it.each([
    ['{"error":{"code":7,"message":"rev is stale"}}', 'rev is stale (7)'],
    ['{"errors":[{"code":"0700","text":"Invalid survey."}],"result":"failure"}', 'Invalid survey. (0700)'],
    ['{"code":"ER_DUP: key 7","message":"already there"}', 'already there'],
    ['{"code":{"a":1},"message":"no way"}', 'no way'],
    ['{"error":"invalid_grant","error_description":"Wrong password"}', 'Wrong password'],
    ['{"detail":"Not found.","status":404}', 'Not found.'],
    [`{"message":"cut off here","stack":"${'x'.repeat(100)}`, 'cut off here'],
    ['{"items":[]}', null],
    ['Too many connections\n  at db.js:1', 'Too many connections'],
    ['', null],
  ])('returns the message of %j', (text, words) => expect(findServerMessage(text, 500)).toBe(words));

  it('returns one line of limited length without control characters', () => {
    expect(findServerMessage('no\u001b[31m\u202e way\u0007', 500)).toBe('no [31m way');
    expect(findServerMessage(page(`<p role="alert">${'long '.repeat(400)}</p>`), 200)?.length).toBeLessThanOrEqual(MAX_QUOTE_LENGTH);
  });

  it.each(['<p class="error">', '<div role=alert>a', '{"message":', '<', '"', 'Fatal error: '])('needs linear time for %j', (unit) => {
    const texts = new Map([10_000, 40_000].map((letters) => [letters, `<p>{`.slice(0, 3) + unit.repeat(letters / unit.length)]));
    expect(measureGrowth((letters) => void findServerMessage(texts.get(letters) ?? '', 500), 10_000)).toBeLessThan(MAX_GROWTH);
  });
});

describe('findServerMessage for a refusal with a successful status', () => {
  it.each([
    ['a code that says more than “Error”', '{"code":"version_mismatch","message":"Error"}', 'version_mismatch'],
    ['a call in JSON', JSON.stringify({ exec: 'this.show("No sender in it.","error",0);' }), 'No sender in it.'],
    [
      'a call in a page with words of its own',
      page('<h1>Log in</h1><script>app.show("Login failed.","warning",0);</script>'),
      'Login failed.',
    ],
  ])('returns the message from %s', (_what, text, words) => expect(findServerMessage(text, 200)).toBe(words));
});
