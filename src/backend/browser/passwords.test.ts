import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Passwords } from './passwords.ts';

const accountOfAda = (password: string) => ({ password, userName: 'ada', userField: 'login', passwordField: 'secret' });

describe('Passwords', () => {
  it('removes a password in every encoding', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: 'grapheme' }), (random) => {
        const password = `${random.trim()}anchor-11`;
        const passwords = new Passwords();
        passwords.learn(accountOfAda(password));
        const writtenTexts = [
          password,
          JSON.stringify({ password }),
          JSON.stringify({ body: JSON.stringify({ password }) }),
          `secret=${encodeURIComponent(password)}&next=`,
          new URLSearchParams({ secret: password }).toString(),
          Buffer.from(password).toString('base64'),
        ];
        for (const text of writtenTexts) {
          const clean = passwords.cleanSent(text);
          expect(clean).toContain('{{holdfast-password-1}}');
          expect(clean).not.toContain('anchor-11');
        }
      }),
    );
  });

  it('gives each password one number, wherever it is entered', () => {
    const learned: string[] = [];
    const passwords = new Passwords((password) => learned.push(password));
    for (const password of ['anchor-11', 'anchor-11', 'anchor-11-longer']) passwords.learn(accountOfAda(password));
    expect(learned).toEqual(['anchor-11', 'anchor-11-longer']);
    expect(passwords.clean('anchor-11-longer or anchor-11')).toBe('{{holdfast-password-2}} or {{holdfast-password-1}}');
  });

  it('removes a password that is short, or equals the user name, only where it is the whole value', () => {
    const passwords = new Passwords();
    passwords.learn(accountOfAda('ada'));
    passwords.learn({ ...accountOfAda('x'), userName: 'bob' });
    expect(passwords.cleanSent('login=ada&secret=ada&note=adage')).toBe('login=ada&secret={{holdfast-password-1}}&note=adage');
    expect(passwords.cleanSent('{"login": "ada", "secret": "ada"}')).toBe('{"login": "ada", "secret": "{{holdfast-password-1}}"}');
    expect(passwords.cleanSent('secret=x&text=extra')).toBe('secret={{holdfast-password-2}}&text=extra');
    expect(passwords.clean('Hello ada')).toBe('Hello ada');
  });

  it('removes a password from requests that a page sends while the password is typed', () => {
    const passwords = new Passwords();
    for (const beginning of ['a', 'anch', 'anchor']) passwords.learnPrefix(beginning);
    expect(passwords.cleanSent('{"strength":"anchor"}')).toBe('{"strength":"{{holdfast-password-beginning}}"}');
    expect(passwords.clean('Drop anchor')).toBe('Drop anchor');
  });

  it('learns the password of an HTTP login from its header, once', () => {
    const passwords = new Passwords();
    const header = `Basic ${Buffer.from('ada:anchor:11').toString('base64')}`;
    const clean = passwords.cleanHeader('Authorization', header);
    expect(clean).toBe('Basic {{holdfast-password-1}}');
    expect(passwords.cleanHeader('authorization', clean)).toBe(clean);
    expect(passwords.accounts).toEqual([{ number: 1, userName: 'ada', password: 'anchor:11', userField: '', passwordField: '' }]);
    expect(passwords.cleanHeader('Authorization', 'Bearer abc')).toBe('Bearer abc');
  });

  it('assigns no form fields to an HTTP login until a form contains its password', () => {
    const passwords = new Passwords();
    passwords.learnHttp({ username: 'ada', password: 'anchor-11' });
    passwords.nameFields(new Map([['q', 'ada']]));
    expect(passwords.accounts).toMatchObject([{ userName: 'ada', userField: '', passwordField: '' }]);
    passwords.learn({ ...accountOfAda('anchor-11'), userName: 'grace' });
    expect(passwords.accounts).toMatchObject([{ userName: 'ada', userField: '' }]);
    passwords.learn(accountOfAda('anchor-11'));
    passwords.nameFields(
      new Map([
        ['user', 'ada'],
        ['pwd', '{{holdfast-password-1}}'],
      ]),
    );
    expect(passwords.accounts).toMatchObject([{ number: 1, userField: 'user', passwordField: 'pwd' }]);
  });

  it('finds the names of the login fields in the request', () => {
    const passwords = new Passwords();
    passwords.learn(accountOfAda('anchor-11'));
    passwords.nameFields(
      new Map([
        ['user', 'ada'],
        ['pwd', '{{holdfast-password-1}}'],
      ]),
    );
    expect(passwords.accounts).toMatchObject([{ userField: 'user', passwordField: 'pwd' }]);
    // The user's own name is sent later in another field, because the user searches for it.
    passwords.nameFields(new Map([['q', 'ada']]));
    expect(passwords.accounts).toMatchObject([{ userField: 'user', passwordField: 'pwd' }]);
  });

  it('learns a password although another site has reported hundreds', () => {
    const passwords = new Passwords();
    for (let index = 0; index < 500; index += 1) passwords.learn(accountOfAda(`made-up-${index}`), 'hostile.example');
    passwords.learn(accountOfAda('anchor-11'), 'shop.example');
    expect(passwords.cleanSent('secret=anchor-11')).toMatch(/^secret=\{\{holdfast-password-\d+\}\}$/);
  });
});
