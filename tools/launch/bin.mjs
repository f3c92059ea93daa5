#!/usr/bin/env node
import { refuseOldNode } from './version.mjs';

refuseOldNode();
await import('./package.mjs');
