/** Texts of forms that start something from only an address. */
export const quick = {
  needsAddress: 'Enter the address of a page.',
  consent: (host: string) => `${host} is reachable from the internet. I own it, or its owner has agreed to this test.`,
  more: 'More settings',
  place: 'Load generator',
  here: 'this computer',
  earlier: 'Earlier searches',
};
