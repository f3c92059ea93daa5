import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Passwords } from './passwords.ts';

const ada = (password: string) => ({ password, userName: 'ada', userField: 'login', passwordField: 'secret' });

describe('a password in a recording', () => {
  it('is taken out of every form in which it may be written', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: 'grapheme' }), (random) => {
        const password = `${random.trim()}anchor-11`;
        const passwords = new Passwords();
        passwords.learn(ada(password));
        const written = [
          password,
          JSON.stringify({ password }),
          JSON.stringify({ body: JSON.stringify({ password }) }),
          `secret=${encodeURIComponent(password)}&next=`,
          new URLSearchParams({ secret: password }).toString(),
          Buffer.from(password).toString('base64'),
        ];
        for (const text of written) {
          const clean = passwords.cleanSent(text);
          expect(clean).toContain('{{holdfast-password-1}}');
          expect(clean).not.toContain('anchor-11');
        }
      }),
    );
  });

  it('has the same number wherever it is entered, and another one for another password', () => {
    const learned: string[] = [];
    const passwords = new Passwords((password) => learned.push(password));
    for (const password of ['anchor-11', 'anchor-11', 'anchor-11-longer']) passwords.learn(ada(password));
    expect(learned).toEqual(['anchor-11', 'anchor-11-longer']);
    expect(passwords.clean('anchor-11-longer or anchor-11')).toBe('{{holdfast-password-2}} or {{holdfast-password-1}}');
  });

  it('that is short, or the name of the user, is taken out where it is a whole value, and words stay as they are', () => {
    const passwords = new Passwords();
    passwords.learn(ada('ada'));
    passwords.learn({ ...ada('x'), userName: 'bob' });
    expect(passwords.cleanSent('login=ada&secret=ada&note=adage')).toBe('login=ada&secret={{holdfast-password-1}}&note=adage');
    expect(passwords.cleanSent('{"login": "ada", "secret": "ada"}')).toBe('{"login": "ada", "secret": "{{holdfast-password-1}}"}');
    expect(passwords.cleanSent('secret=x&text=extra')).toBe('secret={{holdfast-password-2}}&text=extra');
    expect(passwords.clean('Hello ada')).toBe('Hello ada');
  });

  it('is taken out of what a page sends while it is typed', () => {
    const passwords = new Passwords();
    for (const beginning of ['a', 'anch', 'anchor']) passwords.learnBeginning(beginning);
    expect(passwords.cleanSent('{"strength":"anchor"}')).toBe('{"strength":"{{holdfast-password-beginning}}"}');
    expect(passwords.clean('Drop anchor')).toBe('Drop anchor');
  });

  it('of a login by HTTP is learned from its header, once', () => {
    const passwords = new Passwords();
    const header = `Basic ${Buffer.from('ada:anchor:11').toString('base64')}`;
    const clean = passwords.cleanHeader('Authorization', header);
    expect(clean).toBe('Basic {{holdfast-password-1}}');
    expect(passwords.cleanHeader('authorization', clean)).toBe(clean);
    expect(passwords.accounts).toEqual([{ number: 1, userName: 'ada', password: 'anchor:11', userField: '', passwordField: '' }]);
    expect(passwords.cleanHeader('Authorization', 'Bearer abc')).toBe('Bearer abc');
  });

  it('of a login by HTTP has no fields, whatever sends the same name, until a form has it', () => {
    const passwords = new Passwords();
    passwords.learnHttp({ username: 'ada', password: 'anchor-11' });
    passwords.nameFields(new Map([['q', 'ada']]));
    expect(passwords.accounts).toMatchObject([{ userName: 'ada', userField: '', passwordField: '' }]);
    passwords.learn({ ...ada('anchor-11'), userName: 'grace' });
    expect(passwords.accounts).toMatchObject([{ userName: 'ada', userField: '' }]);
    passwords.learn(ada('anchor-11'));
    passwords.nameFields(
      new Map([
        ['user', 'ada'],
        ['pwd', '{{holdfast-password-1}}'],
      ]),
    );
    expect(passwords.accounts).toMatchObject([{ number: 1, userField: 'user', passwordField: 'pwd' }]);
  });

  it('belongs to the fields that a request calls it by', () => {
    const passwords = new Passwords();
    passwords.learn(ada('anchor-11'));
    passwords.nameFields(
      new Map([
        ['user', 'ada'],
        ['pwd', '{{holdfast-password-1}}'],
      ]),
    );
    expect(passwords.accounts).toMatchObject([{ userField: 'user', passwordField: 'pwd' }]);
    // Whoever looks for themselves after the login sends their name, too.
    passwords.nameFields(new Map([['q', 'ada']]));
    expect(passwords.accounts).toMatchObject([{ userField: 'user', passwordField: 'pwd' }]);
  });

  it('is learned although another site has reported hundreds of passwords', () => {
    const passwords = new Passwords();
    for (let index = 0; index < 500; index += 1) passwords.learn(ada(`made-up-${index}`), 'hostile.example');
    passwords.learn(ada('anchor-11'), 'shop.example');
    expect(passwords.cleanSent('secret=anchor-11')).toMatch(/^secret=\{\{holdfast-password-\d+\}\}$/);
  });
});
