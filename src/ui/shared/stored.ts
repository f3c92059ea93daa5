/** Storage keys of the page: the theme is in the local storage, the others in the session storage of the tab. */
export const STORED = { theme: 'holdfast.theme', token: 'holdfast.token', draft: 'holdfast.wizard' } as const;
