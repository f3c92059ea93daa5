#!/usr/bin/env node
import { refuseOldNode } from './version.mjs';

refuseOldNode();
// Imported dynamically, because an old Node could not even parse the imported file.
await import('./checkout.mjs');
