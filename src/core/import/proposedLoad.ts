import type { WrittenLoad } from './draft.ts';

type ThinkTime = Extract<WrittenLoad, { model: 'users' }>['thinkTime'];

/** For what says no load: few users, for a minute. */
export function proposedUsers(thinkTime?: ThinkTime): WrittenLoad {
  return {
    model: 'users',
    ...(thinkTime === undefined ? {} : { thinkTime }),
    stages: [{ name: 'load', users: 10, startUpSeconds: 10, seconds: 60 }],
  };
}
