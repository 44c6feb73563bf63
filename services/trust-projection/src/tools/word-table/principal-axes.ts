const sweepsMax = 12;
const negligible = 1e-12;

type Matrix = Float64Array[];
const at = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? 0;
const put = (matrix: Matrix, row: number, column: number, value: number): void => {
  const values = matrix[row];
  if (values !== undefined) values[column] = value;
};

/**
 * Turns vectors so that the axes along which they differ most come first, and keeps those (principal components, by Jacobi's rotations).
 * Nothing is subtracted: the vectors are taken as they are around 0.
 */
export function reduced(vectors: readonly Float64Array[], dimensions: number): Float64Array[] {
  const size = vectors[0]?.length ?? 0;
  const spread: Matrix = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors) {
    for (const [row, values] of spread.entries()) {
      for (let column = 0; column < size; column += 1) {
        values[column] = (values[column] ?? 0) + (vector[row] ?? 0) * (vector[column] ?? 0);
      }
    }
  }
  const axes: Matrix = Array.from({ length: size }, (_, row) => new Float64Array(size).fill(1, row, row + 1));
  for (let sweep = 0; sweep < sweepsMax; sweep += 1) {
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) rotate(spread, axes, p, q);
  }
  const order = [...axes.keys()].toSorted((a, b) => at(spread, b, b) - at(spread, a, a)).slice(0, dimensions);
  return vectors.map((vector) =>
    Float64Array.from(order, (axis) => vector.reduce((sum, value, row) => sum + at(axes, row, axis) * value, 0)),
  );
}

/** One of Jacobi's rotations: it takes what two axes have in common (Golub and Van Loan, Matrix Computations, 8.5). */
function rotate(spread: Matrix, axes: Matrix, p: number, q: number): void {
  const common = at(spread, p, q);
  if (Math.abs(common) < negligible) return;
  const ratio = (at(spread, q, q) - at(spread, p, p)) / (2 * common);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turnColumns = (matrix: Matrix): void => {
    for (const row of matrix.keys()) {
      const [a, b] = [at(matrix, row, p), at(matrix, row, q)];
      put(matrix, row, p, cosine * a - sine * b);
      put(matrix, row, q, sine * a + cosine * b);
    }
  };
  turnColumns(spread);
  for (let column = 0; column < spread.length; column += 1) {
    const [a, b] = [at(spread, p, column), at(spread, q, column)];
    put(spread, p, column, cosine * a - sine * b);
    put(spread, q, column, sine * a + cosine * b);
  }
  turnColumns(axes);
}
