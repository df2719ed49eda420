"""Charts as SVG, which a page shows as images: bars of a table's row, lines of a curve. Both have logarithmic scales."""
import html
import math

COLOURS = {"native": "#8c8c8c", "strut": "#0b6fb3", "strut, ptrace": "#0b6fb3", "strut, kassist": "#12a150",
           "strut, --seccomp-bpf": "#79b8e0"}
OTHERS = ["#c4572b", "#8a5bb5", "#b58a00", "#a33a6b", "#4a7a7a"]
WIDTH = 760
LEFT, RIGHT, TOP, STEP = 190, 110, 44, 22


def colours(tools):
    others = iter(OTHERS * 3)
    return {tool: COLOURS.get(tool) or next(others) for tool in tools}


def number(value):
    """Three digits that count."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def text(x, y, what, anchor="start", size=12, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {extra}>{html.escape(what)}</text>'


def page(height, title, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" fill="#222">'
    back = f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
    return "\n".join([head, back, text(12, 24, title, size=15, extra='font-weight="bold"'), *parts, "</svg>", ""])


def bars(table):
    """All rows of a table, each tool a bar."""
    hue = colours(table.tools())
    values = [value for row in table.rows.values() for value in row.values() if value > 0]
    low = 10 ** math.floor(math.log10(min(values)))
    span = math.log10(max(values) / low) or 1
    y, parts = TOP, []
    for case, row in table.rows.items():
        parts.append(text(12, y + 13, case, extra='font-style="italic"'))
        y += STEP
        for tool, value in row.items():
            wide = (WIDTH - LEFT - RIGHT) * math.log10(value / low) / span if value > 0 else 0
            parts += [text(LEFT - 8, y + 13, tool, "end"),
                      f'<rect x="{LEFT}" y="{y + 2}" width="{max(wide, 1):.1f}" height="{STEP - 7}" fill="{hue[tool]}"/>',
                      text(LEFT + max(wide, 1) + 6, y + 13, number(value))]
            y += STEP
        y += 8
    note = f"{table.unit}, logarithmic scale; {table.better} is better"
    return page(y + 24, table.title, [*parts, text(12, y + 12, note, size=11)])


class Axes:
    """Places of points, both axes logarithmic by powers of ten."""

    HEIGHT = 360
    BOTTOM = 60

    def __init__(self, points):
        self.x0, self.x1 = self.powers(x for x, _ in points)
        self.y0, self.y1 = self.powers(y for _, y in points)

    @staticmethod
    def powers(values):
        logs = [math.log10(value) for value in values]
        low, high = math.floor(min(logs)), math.ceil(max(logs))
        return low, max(high, low + 1)

    def x(self, value):
        return 70 + (WIDTH - 70 - 190) * (math.log10(value) - self.x0) / (self.x1 - self.x0)

    def y(self, value):
        return self.HEIGHT - self.BOTTOM - (self.HEIGHT - self.BOTTOM - TOP) * (math.log10(value) - self.y0) / (self.y1 - self.y0)

    def lines(self):
        for power in range(self.x0, self.x1 + 1):
            x = self.x(10 ** power)
            yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{self.HEIGHT - self.BOTTOM}" stroke="#ddd"/>'
            yield text(x, self.HEIGHT - self.BOTTOM + 16, number(10 ** power), "middle", 11)
        for power in range(self.y0, self.y1 + 1):
            y = self.y(10.0 ** power)
            yield f'<line x1="70" y1="{y:.1f}" x2="{WIDTH - 190}" y2="{y:.1f}" stroke="#ddd"/>'
            yield text(64, y + 4, number(10.0 ** power), "end", 11)


def lines(curve):
    axes = Axes([point for points in curve.series.values() for point in points])
    hue = colours(curve.series)
    parts, legend = list(axes.lines()), TOP + 12
    for tool, points in curve.series.items():
        path = " ".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{hue[tool]}" stroke-width="2"/>')
        parts += [f'<circle cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="3" fill="{hue[tool]}"/>' for x, y in points]
        parts += [f'<rect x="{WIDTH - 176}" y="{legend - 9}" width="12" height="12" fill="{hue[tool]}"/>',
                  text(WIDTH - 158, legend + 2, tool)]
        legend += STEP
    bottom = axes.HEIGHT - 14
    return page(axes.HEIGHT, curve.title, [*parts, text(70, bottom, f"{curve.y} by {curve.x}, logarithmic scales", size=11)])
