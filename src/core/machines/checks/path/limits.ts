/** What a test of a path costs at most: it ends with whichever comes first. Said before it is made, because it is traffic on somebody's server. */
export const PATH_LIMITS = {
  seconds: 2,
  bytes: 8_000_000,
  connections: 8,
  answers: 400,
} as const;

/** Beyond this, 8 MB pass in less than a tenth of a second and say no more than that there is room. */
export const MOST_HTTP_MEGABITS = 1_000;
/** SSH encrypts on one core at each end: beyond this it is SSH that is measured. */
export const MOST_SSH_MEGABITS = 300;
