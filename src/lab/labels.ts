/** Labels of options that several practice servers have. */
export const LABELS = {
  pageTime: 'Mean time of a page',
  proxyTimeout: 'Response time-out of nginx',
  databaseLimit: 'Connection limit of the database',
  descriptors: 'Open file limit of nginx',
} as const;
