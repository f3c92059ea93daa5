/** Keys under which the page stores data. The theme is in the local storage; the others are in the session storage of the tab. */
export const STORED = { theme: 'holdfast.theme', token: 'holdfast.token', draft: 'holdfast.wizard' } as const;
