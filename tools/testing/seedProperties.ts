import fc from 'fast-check';

/** Property tests draw the same values each time, so that failures can be reproduced. Set FAST_CHECK_SEED to draw other values. */
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_140_425) });
