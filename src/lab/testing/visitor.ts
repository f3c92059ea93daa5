/** A minimal browser that keeps cookies and follows no redirects. */
export class Visitor {
  private readonly base: string;
  readonly cookies = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  async get(path: string): Promise<Response> {
    return this.storeCookies(await fetch(new URL(path, this.base), { redirect: 'manual', headers: this.headers() }));
  }

  async post(path: string, fields: Record<string, string>): Promise<Response> {
    return this.send(path, new URLSearchParams(fields));
  }

  async send(path: string, body: URLSearchParams | FormData, signal: AbortSignal | null = null): Promise<Response> {
    return this.storeCookies(
      await fetch(new URL(path, this.base), { method: 'POST', redirect: 'manual', headers: this.headers(), body, signal }),
    );
  }

  /** Reads the form's token and logs in. Resolves with the response to the form. */
  async logIn(username: string, password: string, next = ''): Promise<Response> {
    const page = await (await this.get('/')).text();
    return this.post('/login', { username, password, next, _xsrf: readXsrf(page) });
  }

  /** Logs in at the school site. Resolves with the text of the response. */
  async logInAtSchool(username: string, password: string): Promise<string> {
    await (await this.get('/login')).text();
    const token = this.cookies.get('_authenticator') ?? '';
    const form = { 'form.submitted': '1', __ac_name: username, __ac_password: password, _authenticator: token, submit: 'Sign in' };
    return (await this.post('/login_form', form)).text();
  }

  private headers(): Record<string, string> {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  private storeCookies(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const split = pair.indexOf('=');
      this.cookies.set(pair.slice(0, split), pair.slice(split + 1));
    }
    return response;
  }
}

export function readXsrf(html: string): string {
  return /name="_xsrf" value="([^"]*)"/.exec(html)?.[1] ?? '';
}
