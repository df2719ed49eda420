"""What a topic gives: tables of medians, and curves. Neither knows how it is shown."""
import dataclasses
import math


@dataclasses.dataclass
class Table:
    """Cases by tools. `better`: "less" or "more". `base`: the tool whose value the others are ratios to, if it has one."""
    title: str
    unit: str
    about: str
    rows: dict[str, dict[str, float]]
    better: str = "less"
    base: str = "native"

    def tools(self):
        return list(dict.fromkeys(tool for row in self.rows.values() for tool in row))

    def ratio(self, case, tool):
        row = self.rows[case]
        return row[tool] / row[self.base] if row.get(self.base) and tool != self.base else None


@dataclasses.dataclass
class Curve:
    """How a figure grows with a size: by tool, points (size, value)."""
    title: str
    x: str
    y: str
    about: str
    series: dict[str, list[tuple[float, float]]]

    def exponent(self, tool):
        """The slope of the upper half in logarithms: 1 is proportional to the size. None: fewer than two points."""
        points = self.series[tool]
        upper = points[len(points) // 2 - (len(points) < 4):] if len(points) > 2 else points
        logs = [(math.log(x), math.log(y)) for x, y in upper if x > 0 and y > 0]
        if len(logs) < 2:
            return None
        mean_x, mean_y = (sum(axis) / len(logs) for axis in zip(*logs))
        spread = sum((x - mean_x) ** 2 for x, _ in logs)
        return sum((x - mean_x) * (y - mean_y) for x, y in logs) / spread
