import { ab } from './ab.ts';
import { autocannon, autocannonWorker } from './autocannon.ts';
import { h2load } from './h2load.ts';
import { hey } from './hey.ts';
import { holdfastAppAutocannon, holdfastAppNative, holdfastAutocannon, holdfastNative } from './holdfast.ts';
import { k6 } from './k6.ts';
import { nodeSockets } from './nodeSockets.ts';
import { oha } from './oha.ts';
import type { Subject } from './subject.ts';
import { undici } from './undici.ts';
import { wrk } from './wrk.ts';

const ours: readonly Subject[] = [holdfastNative, holdfastAutocannon, holdfastAppNative, holdfastAppAutocannon];

/** The subjects in the order of the tables. */
export const SUBJECTS: readonly Subject[] = [...ours, wrk, h2load, ab, autocannon, autocannonWorker, oha, hey, k6, undici, nodeSockets];
