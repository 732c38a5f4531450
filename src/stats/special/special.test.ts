import { describe, expect, it } from "vitest";
import { complementaryError, normalCumulative, normalQuantile } from "./normal.ts";
import { incompleteBeta, logGamma, studentQuantile, studentTwoSided } from "./student-t.ts";

const near = (actual: number, expected: number) => expect(Math.abs(actual / expected - 1)).toBeLessThan(1e-13);

describe("special functions, against scipy.special", () => {
  it("the normal distribution, tails included", () => {
    near(normalCumulative(-8), 6.22096057427174e-16);
    near(normalCumulative(-1), 0.15865525393145707);
    near(normalCumulative(2), 0.9772498680518208);
    near(normalQuantile(1e-10), -6.361340902404056);
    near(normalQuantile(0.3), -0.5244005127080409);
    near(normalQuantile(0.975), 1.959963984540054);
    expect(normalQuantile(0.5)).toBe(0);
    [-1, 0.3, 0.47, 3.9, 4.1, 6].forEach((x, i) => {
      const erfc = [
        1.8427007929497148, 0.6713732405408726, 0.5062549491139179, 3.479224859723178e-8, 6.7000276540849075e-9,
      ];
      near(complementaryError(x), [...erfc, 2.1519736712498913e-17][i]!);
    });
  });

  it("Student's t, the incomplete beta and the log-gamma function", () => {
    near(studentTwoSided(2, 7), 0.08561932856297605);
    near(studentTwoSided(10, 1), 0.06345103486110713);
    near(studentTwoSided(4.2, 147), 4.607117495463381e-5);
    expect(studentTwoSided(0, 5)).toBe(1);
    near(studentQuantile(1), 12.706204736174694);
    near(studentQuantile(4), 2.7764451051977934);
    near(studentQuantile(30), 2.0422724563012378);
    near(studentQuantile(2.5), 3.5746548420036817);
    near(incompleteBeta(0.9, 0.5, 5), 0.9999974294103009);
    near(incompleteBeta(0.5, 30, 40), 0.8857998873233515);
    near(logGamma(0.1), 2.252712651734206);
    near(logGamma(150.5), 602.5139548705853);
  });
});
