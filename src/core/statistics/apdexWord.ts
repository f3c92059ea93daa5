/** The words of the Apdex specification for a value. */
export function apdexWord(apdex: number): string {
  if (apdex < 0.5) return 'Unacceptable';
  if (apdex < 0.7) return 'Poor';
  if (apdex < 0.85) return 'Fair';
  return apdex < 0.94 ? 'Good' : 'Excellent';
}
