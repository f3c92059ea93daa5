import fc from 'fast-check';

/** Property tests draw the same values each time, so failures are reproducible. Set FAST_CHECK_SEED to draw others. */
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_140_425) });
