/** Returns the mark that replaces the password of an account in a recording. */
export function passwordMark(account: number): string {
  return `{{holdfast-password-${account}}}`;
}

/** Replaces the beginning of a password, because some pages send a request at each keystroke. */
export const BEGINNING_MARK = '{{holdfast-password-beginning}}';

const PASSWORD_MARK_PATTERN = /\{\{holdfast-password-(\d{1,3})\}\}/;

/** Returns the first password mark in a text and the number of its account; null if there is none. */
export function readPasswordMark(text: string): { readonly mark: string; readonly account: number } | null {
  const [mark, account] = PASSWORD_MARK_PATTERN.exec(text) ?? [];
  return mark === undefined ? null : { mark, account: Number(account) };
}
