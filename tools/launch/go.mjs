#!/usr/bin/env node
import { refuseOldNode } from './version.mjs';

refuseOldNode();
// Imported only now: what follows needs a Node that an old one would not even parse.
await import('./checkout.mjs');
