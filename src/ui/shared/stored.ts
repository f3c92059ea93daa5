/** Keys under which the page stores data: `theme` and `recent` in the local storage, the others in the session storage of the tab. */
export const STORED = { theme: 'holdfast.theme', token: 'holdfast.token', draft: 'holdfast.wizard', recent: 'holdfast.recent' } as const;
