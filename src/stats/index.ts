export { fitRidge, predictRidge, type RidgeModel, type RidgeOptions } from "./linear/ridge-regression.ts";
export { type SparseEntry, type SparseRows, selectRows, sparseRows } from "./linear/sparse-rows.ts";
