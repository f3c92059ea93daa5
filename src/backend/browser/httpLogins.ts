import type { Page } from 'playwright-core';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { decodePart } from '#core/plan/url.ts';
import type { Challenge } from './pageDevtools.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

const enteredLoginSchema = z.object({ username: z.string().max(1_000), password: z.string().max(1_000) });

/** HTTP logins by origin. The browser does not report what it sends, so Holdfast asks the user for the credentials itself. */
export class HttpLogins {
  private readonly known = new Map<string, Login & { readonly isBasic: boolean }>();

  /** Separates the credentials from an address. Returns the address without them, and the login; null if there are no credentials. */
  takeFrom(address: string): { readonly url: string; readonly login: Login | null } {
    if (!/^https?:\/\/[^/?#]*@/i.test(address) || !URL.canParse(address)) return { url: address, login: null };
    const url = new URL(address);
    const login = { username: decodePart(url.username), password: decodePart(url.password) };
    [url.username, url.password] = ['', ''];
    if (login.password === '') return { url: url.href, login: null };
    this.known.set(url.origin, { ...login, isBasic: true });
    return { url: url.href, login };
  }

  /** Returns the Authorization header for an address if its origin has known basic credentials, or null. */
  headerFor(url: string): string | null {
    const login = URL.canParse(url) ? this.known.get(new URL(url).origin) : undefined;
    if (login === undefined || !login.isBasic) return null;
    return `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
  }

  response({ url, isRepeated }: Challenge): Login | null {
    const { origin } = new URL(url);
    if (isRepeated) this.known.delete(origin);
    const login = this.known.get(origin);
    return login === undefined ? null : { username: login.username, password: login.password };
  }

  /** Asks the user for credentials in the tab whose request was refused. Throws if the tab navigates away in the meantime. */
  async ask(page: Page, { url, scheme }: Challenge): Promise<void> {
    // This replaces the browser's own error page.
    await page.goto('about:blank');
    await page.setContent(loginForm(new URL(url).host));
    const given = enteredLoginSchema.safeParse(await page.evaluate(WAIT_FOR_LOGIN));
    if (!given.success) throw new HoldfastError({ code: 'NO_LOGIN', message: 'No name and password were entered.', hint: '' });
    this.known.set(new URL(url).origin, { ...given.data, isBasic: scheme === 'basic' });
  }
}

const loginForm = (
  host: string,
): string => `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Log in</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
form { max-width: 24rem; margin: 10vh auto; padding: 0 1rem; display: grid; gap: 1rem }
h1 { font-size: 1.25rem; margin: 0 } p { margin: 0 }
label { display: grid; gap: .25rem } input, button { font: inherit; padding: .5rem .75rem }
</style>
<form><h1>${host.replaceAll(/[^\w.:[\]-]/g, '')} asks for a name and a password</h1>
<p>Holdfast asks in place of the browser, to keep the password out of the recording.</p>
<label>Name <input autocomplete="username" autofocus required></label>
<label>Password <input type="password" autocomplete="current-password" required></label>
<button>Log in</button></form></html>`;

/** Runs in the tab, and resolves when the form is submitted. The page's content security policy does not apply to this script. */
const WAIT_FOR_LOGIN = `new Promise((resolve) => {
  document.forms[0].addEventListener('submit', (event) => {
    event.preventDefault();
    const [name, password] = document.querySelectorAll('input');
    resolve({ username: name.value, password: password.value });
  });
})`;
