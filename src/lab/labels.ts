/** Labels of options that several practice servers have. */
export const LABELS = {
  pageTime: 'Mean time that a page takes',
  proxyTimeout: 'How long nginx waits for an answer',
  databaseLimit: 'Connections that the database allows',
  descriptors: 'Open files that nginx may have',
} as const;
