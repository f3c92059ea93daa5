import type { Subject } from '../subject.ts';
import { ANSWERS } from './answers.ts';
import { AGREEMENTS } from './agreements.ts';
import { DOCUMENTS } from './documents.ts';
import { HOSTS } from './hosts.ts';
import { HTTP2 } from './http2.ts';
import { WEB_SOCKET } from './webSocket.ts';
import { WIRE } from './wire.ts';

/** Every reader of what others wrote. */
export const SUBJECTS: readonly Subject[] = [...DOCUMENTS, ...ANSWERS, ...HOSTS, ...HTTP2, ...WEB_SOCKET, ...WIRE, ...AGREEMENTS];

/** Those whose names begin so; all for no names. */
export function subjectsNamed(names: readonly string[]): Subject[] {
  return SUBJECTS.filter(({ name }) => names.length === 0 || names.some((wanted) => name === wanted));
}
