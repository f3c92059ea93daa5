/** One observation: the predictors (`at`), the value and its weight. */
export interface Observation {
  readonly at: readonly number[];
  readonly value: number;
  readonly weight: number;
}

/** A fitted plane `base + Σ slope·x` with its uncertainty. */
export interface Plane {
  /** The intercept, followed by the slope of each predictor. */
  readonly coefficients: readonly number[];
  /** Standard errors of the coefficients. */
  readonly errors: readonly number[];
  /** Covariance matrix of the coefficients. */
  readonly covariances: readonly (readonly number[])[];
  /** Degrees of freedom: the number of observations minus that of coefficients. */
  readonly freedom: number;
  /** Variance inflation factor of each predictor (Marquardt 1970), which is 1 for a predictor that is uncorrelated with the others. */
  readonly inflation: readonly number[];
  readonly fitted: readonly number[];
}

/**
 * Minimum share of its original value that a pivot must have. Below it, the pivot is a rounding error: the column depends linearly on
 * others.
 */
const MIN_PIVOT_SHARE = 1e-10;

/**
 * Fits weighted least squares with an intercept, by the normal equations of scaled columns (Draper and Smith 1998, 9.2). Returns null if
 * the predictors are collinear, or if there are no more observations than coefficients.
 */
export function fitLeastSquares(observations: readonly Observation[]): Plane | null {
  const amounts = observations[0]?.at.length ?? 0;
  const size = amounts + 1;
  const freedom = observations.length - size;
  if (freedom < 1) return null;
  // The values in columns of rows and of bytes may differ by a factor of 10⁵. Scaling keeps the matrix well conditioned.
  const scales = [
    1,
    ...Array.from({ length: amounts }, (_, index) => Math.max(...observations.map(({ at }) => Math.abs(at[index] ?? 0))) || 1),
  ];
  const lines = observations.map(({ at }) => [1, ...at].map((value, index) => value / (scales[index] ?? 1)));
  const sum = (of: (line: readonly number[], one: Observation) => number): number =>
    observations.reduce((total, one, index) => total + one.weight * of(lines[index] ?? [], one), 0);
  const matrix = scales.map((_row, row) => scales.map((_column, column) => sum((line) => (line[row] ?? 0) * (line[column] ?? 0))));
  const inverse = findInverse(matrix);
  if (inverse === null) return null;
  const right = scales.map((_, index) => sum((line, { value }) => (line[index] ?? 0) * value));
  const scaled = inverse.map((row) => row.reduce((total, value, index) => total + value * (right[index] ?? 0), 0));
  const fitted = lines.map((line) => line.reduce((total, value, index) => total + value * (scaled[index] ?? 0), 0));
  const residuals = observations.reduce((total, { value, weight }, index) => total + weight * (value - (fitted[index] ?? 0)) ** 2, 0);
  const variance = residuals / freedom;
  const weights = sum(() => 1);
  return {
    coefficients: scaled.map((value, index) => value / (scales[index] ?? 1)),
    errors: inverse.map((row, index) => Math.sqrt(variance * (row[index] ?? 0)) / (scales[index] ?? 1)),
    covariances: inverse.map((row, index) => row.map((value, column) => (variance * value) / (scales[index] ?? 1) / (scales[column] ?? 1))),
    freedom,
    inflation: Array.from({ length: amounts }, (_, index) => {
      const column = index + 1;
      const mean = sum((line) => line[column] ?? 0) / weights;
      return (inverse[column]?.[column] ?? 0) * sum((line) => ((line[column] ?? 0) - mean) ** 2);
    }),
    fitted,
  };
}

/** Inverts a symmetric positive definite matrix by Gauss-Jordan elimination with diagonal pivots. Returns null if it is singular. */
function findInverse(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...Array.from({ length: size }, (_, column) => (column === index ? 1 : 0))]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const row = rows[pivot] ?? [];
    const value = row[pivot] ?? 0;
    if (value <= MIN_PIVOT_SHARE * (matrix[pivot]?.[pivot] ?? 1)) return null;
    for (let column = 0; column < 2 * size; column += 1) row[column] = (row[column] ?? 0) / value;
    for (const [index, other] of rows.entries()) {
      if (index === pivot) continue;
      const factor = other[pivot] ?? 0;
      for (let column = 0; column < 2 * size; column += 1) other[column] = (other[column] ?? 0) - factor * (row[column] ?? 0);
    }
  }
  return rows.map((row) => row.slice(size));
}
