#!/usr/bin/env node
import { refuseOldNode } from './version.mjs';

refuseOldNode();
// Imported late: an old Node could not even parse what follows.
await import('./checkout.mjs');
