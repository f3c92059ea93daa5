import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFeed } from '../feeds/parseFeed.ts';
import { ACCOUNT_FORMS, accountsCsv, commonName, isSecretColumn, createSeededDraw, renameToAsked } from './accounts.ts';

describe('columns of account lists', () => {
  it.each([
    [
      ['Login Name', 'Passwd'],
      ['username', 'Passwd'],
    ],
    [
      ['User-ID', 'E-mail'],
      ['username', 'E-mail'],
    ],
    [
      ['__ac_name', 'x'],
      ['username', 'x'],
    ],
    [
      ['username', 'user'],
      ['username', 'user'],
    ],
    [
      ['user', 'login'],
      ['user', 'login'],
    ],
    [['colour'], ['colour']],
  ])('are renamed to the user name that is asked for: %j become %j', (columns, expected) => {
    expect(renameToAsked(columns, ['username'])).toEqual(expected);
  });

  it('are renamed only if the plan asks for them, and never two to the same name', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('user', 'login', 'pwd', 'Password', 'email', 'a', 'b')), (columns) => {
        expect(renameToAsked(columns, [])).toEqual(columns);
        const named = renameToAsked(columns, ['username', 'password', 'a']);
        expect(new Set(named).size).toBe(named.length);
      }),
    );
  });

  it('are secret by their names', () => {
    expect(['password', 'Passwd', '__ac_password', 'api-key', 'PIN'].filter((name) => !isSecretColumn(name))).toEqual([]);
    expect(['username', 'pineapple', 'first_name'].filter(isSecretColumn)).toEqual([]);
    expect(commonName('toString')).toBeNull();
  });
});

describe('generated accounts', () => {
  it.each(ACCOUNT_FORMS)('are parsed back to the same list (%s)', (form) => {
    const text = accountsCsv({ count: 120, form, prefix: 'team', from: 1, draw: createSeededDraw(7) });
    const { columns, rows, problems } = parseFeed(text, { file: 'a.csv', format: undefined, separator: ',' });
    expect(problems).toEqual([]);
    expect(columns.slice(0, 2)).toEqual(['username', 'password']);
    expect(new Set(rows.map(([name]) => name)).size).toBe(120);
    expect([rows[0]?.[0], rows[119]?.[0]]).toEqual(['team001', 'team120']);
    expect(new Set(rows.map(([, password]) => password)).size).toBe(120);
    for (const [, password = ''] of rows) expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[-_.+])[\w.+-]{14}$/);
  });

  it('have passwords that depend on the seed', () => {
    const made = (seed: number): string => accountsCsv({ count: 3, form: 'plain', prefix: 'u', from: 9, draw: createSeededDraw(seed) });
    expect(made(1)).toBe(made(1));
    expect(made(1)).not.toBe(made(2));
  });
});

describe('account lists of other systems', () => {
  const read = (text: string, file: string, format?: 'credentials') => parseFeed(text, { file, format, separator: ',' });

  it('may be the users of a CMS contest', () => {
    const yaml = `name: contest\nusers:\n  - {username: ada, password: plaintext:x:1, first_name: Ada, last_name: L}\n  - {username: 7, password: pw, nome: Grace, cognome: H}\n  - {password: lost}\n`;
    expect(read(yaml, 'contest.yaml')).toEqual({
      columns: ['username', 'password', 'first_name', 'last_name'],
      rows: [
        ['ada', 'x:1', 'Ada', 'L'],
        ['7', 'pw', 'Grace', 'H'],
      ],
      problems: [{ line: 3, message: 'this user of the list has no username' }],
    });
    for (const bad of ['users: 5', '[', '- a', '']) expect(read(bad, 'a.yml').problems).toHaveLength(1);
  });

  it('may be lines of name:password', () => {
    expect(read('# people\nada:a:b\r\n\ngrace:\nnobody\n', 'credentials.txt', 'credentials')).toEqual({
      columns: ['username', 'password'],
      rows: [
        ['ada', 'a:b'],
        ['grace', ''],
      ],
      problems: [{ line: 5, message: 'it is not written name:password' }],
    });
  });
});
