/** Keys under which the page stores data. Theme and recent entries are in the local storage; the others are in the session storage of the tab. */
export const STORED = { theme: 'holdfast.theme', token: 'holdfast.token', draft: 'holdfast.wizard', recent: 'holdfast.recent' } as const;
