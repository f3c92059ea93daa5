/** Under which names the page keeps what outlives it: the theme for good, the others as long as the tab. */
export const STORED = { theme: 'holdfast.theme', token: 'holdfast.token', draft: 'holdfast.wizard' } as const;
