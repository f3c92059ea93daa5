import type { Subject } from '../subject.ts';
import { RESPONSES } from './responses.ts';
import { AGREEMENTS } from './agreements.ts';
import { DOCUMENTS } from './documents.ts';
import { HOSTS } from './hosts.ts';
import { HTTP2 } from './http2.ts';
import { WEB_SOCKET } from './webSocket.ts';
import { WIRE } from './wire.ts';

/** Every parser of foreign data. */
export const SUBJECTS: readonly Subject[] = [...DOCUMENTS, ...RESPONSES, ...HOSTS, ...HTTP2, ...WEB_SOCKET, ...WIRE, ...AGREEMENTS];

/** Returns the subjects with these names. If there are no names, returns all subjects. */
export function subjectsNamed(names: readonly string[]): Subject[] {
  return SUBJECTS.filter(({ name }) => names.length === 0 || names.some((wanted) => name === wanted));
}
