/** The parameters of a request, of its address or its form. */
export interface Asked {
  readonly form: FormData;
  text(name: string): string;
  readonly userId: number | null;
}

/** What is answered: failures too have status 200, and only the body tells. */
export type Reply =
  | { readonly result: 'success'; readonly [more: string]: unknown }
  | { readonly result: 'failure'; readonly errors: readonly unknown[] };

export function failure(code: string, text: string): Reply {
  return { result: 'failure', errors: [{ code, text }] };
}
