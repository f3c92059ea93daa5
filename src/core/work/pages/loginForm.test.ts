import { describe, expect, it } from 'vitest';
import { findLoginForm } from './loginForm.ts';

const page = new URL('http://contest.example/start?x=1');

describe('findLoginForm', () => {
  it('finds the form of a contest server with its hidden fields', () => {
    const form = findLoginForm(
      `<form action="/search"><input name="q"></form>
       <form action="login?next=%2F" method="post"><input type="hidden" name="_xsrf" value="2|a&amp;b">
       <input name="username"><input type="password" name="password"><button type="submit">Login</button></form>`,
      page,
    );
    expect(form).toEqual({
      action: new URL('http://contest.example/login?next=%2F'),
      method: 'POST',
      fixed: [['_xsrf', '2|a&b']],
      usernameField: 'username',
      passwordField: 'password',
    });
  });

  it('fills in the fields of a login form of Plone', () => {
    const form = findLoginForm(
      `<form method="post" action="http://contest.example/login_form"><input type="hidden" name="came_from" value="">
       <input type="text" name="__ac_name"><input type="password" name="__ac_password">
       <input type="checkbox" name="keep" checked><input type="submit" name="submit" value="Log in"></form>`,
      page,
    );
    expect(form).toMatchObject({
      usernameField: '__ac_name',
      passwordField: '__ac_password',
      fixed: [
        ['came_from', ''],
        ['keep', 'on'],
        ['submit', 'Log in'],
      ],
    });
  });

  it('resolves a form without an action to the address of its page, and respects <base>', () => {
    expect(findLoginForm('<form method=post><input type=password name=p></form>', page)?.action.href).toBe(page.href);
    expect(findLoginForm('<base href="/b/"><form action="in"><input type=password name=p></form>', page)?.action.pathname).toBe('/b/in');
  });

  it('ignores registration forms and pages without a form', () => {
    expect(findLoginForm('<form><input type=password name=a><input type=password name=b></form>', page)).toBeNull();
    expect(findLoginForm('not html at all <<<', page)).toBeNull();
  });
});
