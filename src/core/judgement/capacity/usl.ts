/** One measurement: simultaneous users or connections, and throughput. */
export interface Measured {
  readonly at: number;
  readonly perSecond: number;
}

/**
 * The universal scalability law (Neil Gunther, Guerrilla Capacity Planning, 2007): X(N) = λN / (1 + σ(N − 1) + κN(N − 1)). λ: throughput of one. σ
 * (contention): share of the work that is serialized. κ (coherency): cost of each pair; above 0, throughput has a peak and falls beyond it.
 */
export interface Usl {
  readonly lambda: number;
  readonly sigma: number;
  readonly kappa: number;
}

export function uslRate({ lambda, sigma, kappa }: Usl, at: number): number {
  return (lambda * at) / (1 + sigma * (at - 1) + kappa * at * (at - 1));
}

/** Returns the peak of the curve, √((1 − σ) / κ), at least 1; null if it never falls. */
export function uslPeak({ sigma, kappa }: Usl): number | null {
  if (kappa <= 0 || sigma >= 1) return kappa > 0 ? 1 : null;
  return Math.max(1, Math.sqrt((1 - sigma) / kappa));
}

/** Terms of N / X = a + b(N − 1) + cN(N − 1). */
const TERMS = [(_at: number) => 1, (at: number) => at - 1, (at: number) => at * (at - 1)] as const;
const ALL = [0, 1, 2] as const;
/** Term sets without σ, without κ, or without both. */
const SUBSETS = [[0, 1], [0, 2], [0]] as const;

/**
 * Fits the law by least squares of relative deviations. N / X is linear in 1 / λ, σ / λ and κ / λ; division by the measured values gives each level the same
 * weight. No parameter may be negative: if one is, the best fit of a subset of the terms is used. null for fewer than three different levels.
 */
export function fitUsl(points: readonly Measured[]): Usl | null {
  if (new Set(points.map(({ at }) => at)).size < TERMS.length) return null;
  const equations = normalEquations(points);
  const free = allowed(solve(equations, ALL));
  if (free !== null) return free;
  let best: { readonly usl: Usl; readonly squares: number } | null = null;
  for (const subset of SUBSETS) {
    const usl = allowed(solve(equations, subset));
    if (usl === null) continue;
    const squares = points.reduce((sum, { at, perSecond }) => sum + (perSecond / uslRate(usl, at) - 1) ** 2, 0);
    if (best === null || squares < best.squares) best = { usl, squares };
  }
  return best?.usl ?? null;
}

function allowed(found: readonly number[] | null): Usl | null {
  const [a = 0, b = 0, c = 0] = found ?? [];
  return a <= 0 || b < 0 || c < 0 ? null : { lambda: 1 / a, sigma: b / a, kappa: c / a };
}

/** Rows of the normal equations with the right-hand side at the end; columns are scaled. */
interface NormalEquations {
  readonly rows: readonly (readonly number[])[];
  readonly sizes: readonly number[];
}

function normalEquations(points: readonly Measured[]): NormalEquations {
  const columns = TERMS.map((term) => points.map(({ at, perSecond }) => (term(at) * perSecond) / at));
  const sizes = columns.map((column) => Math.sqrt(column.reduce((sum, value) => sum + value * value, 0)) || 1);
  const scaled = columns.map((column, index) => column.map((value) => value / (sizes[index] ?? 1)));
  const rows = scaled.map((one) => [
    ...scaled.map((other) => one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)),
    one.reduce((sum, value) => sum + value, 0),
  ]);
  return { rows, sizes };
}

/** Solves for all terms, 0 for omitted ones, by Gauss-Jordan elimination. null if the levels do not determine the terms. */
function solve({ rows, sizes }: NormalEquations, subset: readonly number[]): number[] | null {
  const matrix = subset.map((one) => [...subset, TERMS.length].map((other) => rows[one]?.[other] ?? 0));
  for (let column = 0; column < subset.length; column += 1) {
    const candidates = matrix.slice(column);
    const pivot = candidates.reduce((best, row) => (Math.abs(row[column] ?? 0) > Math.abs(best[column] ?? 0) ? row : best));
    const head = pivot[column] ?? 0;
    if (Math.abs(head) < 1e-12) return null;
    const from = matrix.indexOf(pivot);
    matrix[from] = matrix[column] ?? pivot;
    matrix[column] = pivot;
    for (const [index, row] of matrix.entries()) {
      if (index === column) continue;
      const factor = (row[column] ?? 0) / head;
      matrix[index] = row.map((cell, place) => cell - factor * (pivot[place] ?? 0));
    }
  }
  const coefficients = TERMS.map(() => 0);
  for (const [place, term] of subset.entries())
    coefficients[term] = (matrix[place]?.[subset.length] ?? 0) / (matrix[place]?.[place] ?? 1) / (sizes[term] ?? 1);
  return coefficients;
}
