/** What stands in a recording for the password of an account. */
export function passwordMark(account: number): string {
  return `{{holdfast-password-${account}}}`;
}

/** What stands in it for the beginning of a password: some pages send one at each key. */
export const BEGINNING_MARK = '{{holdfast-password-beginning}}';

const MARK = /\{\{holdfast-password-(\d{1,3})\}\}/;

/** The first mark of a password in a text, and the number of its account; null where there is none. */
export function readPasswordMark(text: string): { readonly mark: string; readonly account: number } | null {
  const [mark, account] = MARK.exec(text) ?? [];
  return mark === undefined ? null : { mark, account: Number(account) };
}
