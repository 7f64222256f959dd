"""Jinja's templates, compiled into less work: the same text to the letter, in half the time (docs/decisions/0012)."""

from collections.abc import Mapping, MutableMapping
from keyword import iskeyword
from typing import Any, Self

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, MacroRef
from jinja2.compiler import Frame as Scope
from jinja2.environment import TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, _escape_inner, escape  # type: ignore[attr-defined]  # what escape() is made of

SAYS = frozenset({"_", "gettext", "pgettext"})
"""What says a sentence; without facts in it a sentence is known when a template is compiled."""


class Names(dict[str, Any]):
    """What a template may call by name."""

    def __missing__(self, name: str) -> Any:
        return missing


class Scene(Context):
    """What a template is drawn for that knows nothing but its globals and a model: Jinja's own, made in half the
    time."""

    def __init__(self, template: Template, model: Any) -> None:
        self.parent = Names(template.globals, m=model)
        self.vars = {}
        self.environment = template.environment
        self.eval_ctx = EvalContext(template.environment, template.name)
        self.exported_vars = set()
        self.name = template.name
        self.globals_keys = set()
        self.blocks = {}

    def resolve_or_missing(self, key: str) -> Any:
        """What is called so; there is one dict to look in."""
        return self.parent[key]


def drawn(template: Template, model: Any) -> str:
    """What ``template.render(m=model)`` draws. Not for a template that extends another."""
    environment = template.environment
    try:
        return environment.concat(template.root_render_func(Scene(template, model)))
    except Exception:
        environment.handle_exception()


def said(value: Any) -> str:
    """A value as it stands in a page: escaped unless it is HTML. What is put together is HTML anyway, so no part is
    marked as such."""
    kind = type(value)
    if kind is str:
        return _escape_inner(value)
    if kind is Markup:
        return str(value)
    if kind is int:
        return str(value)
    return escape(value)


def marked(html: str) -> Markup:
    """What is HTML, marked without asking whether it knows that itself."""
    return str.__new__(Markup, html)


def filled(sentence: str, facts: Mapping[str, Any]) -> Markup:
    """A sentence in HTML with its facts."""
    return marked(str.__mod__(sentence, {name: said(value) for name, value in facts.items()}))


class Quick(CodeGenerator):
    """Compiles an expression into what it does, where Jinja asks at every drawing what there is to do."""

    def visit_Template(self, node: nodes.Template, frame: Scope | None = None) -> None:  # noqa: N802  # Jinja's name
        """A whole template, with our words for Jinja's."""
        self.writeline(f"from {__name__} import marked, said")
        super().visit_Template(node, frame)

    def _output_child_pre(self, node: nodes.Expr, frame: Scope, finalize: Any) -> None:
        """What is put out needs no mark."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("said(")

    def _import_common(self, node: nodes.Import | nodes.FromImport, frame: Scope) -> None:
        """A module of macros stays found; it cannot know who imports it."""
        if isinstance(node.template, nodes.Const) and not node.with_context:
            self.write(f"environment.module({node.template.value!r})")
        else:
            super()._import_common(node, frame)

    def visit_Getattr(self, node: nodes.Getattr, frame: Scope) -> None:  # noqa: N802  # Jinja's name
        """An attribute is mostly one, seldom a key."""
        self.write("(it if (it := getattr(of := ")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}, missing)) is not missing else environment.getattr(of, {node.attr!r}))")

    def visit_Call(self, node: nodes.Call, frame: Scope, forward_caller: bool = False) -> None:  # noqa: N802  # Jinja's name
        """Nothing that we call wants to be given the context, so nothing is asked whether it does."""
        if node.dyn_kwargs or any(iskeyword(each.key) for each in node.kwargs):
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for each in (*node.args, *node.kwargs):
            self.visit(each, frame)
            self.write(", ")
        if node.dyn_args:
            self.write("*")
            self.visit(node.dyn_args, frame)
            self.write(", ")
        self.write("caller=caller)" if forward_caller else ")")

    def macro_def(self, macro_ref: MacroRef, frame: Scope) -> None:
        """A macro that takes what it names, and no more, is a function."""
        node = macro_ref.node
        if (
            isinstance(node, nodes.CallBlock)
            or macro_ref.accesses_caller
            or macro_ref.accesses_kwargs
            or macro_ref.accesses_varargs
            or not frame.eval_ctx.autoescape
            or any(iskeyword(each.name) for each in node.args)
        ):
            super().macro_def(macro_ref, frame)
            return
        names = [each.name for each in node.args]
        takes = ", ".join(f"{name}=missing" for name in names)
        self.write(f"(lambda macro: lambda {takes}: marked(macro({', '.join(names)})))(macro)")


class Saying(NodeTransformer):
    """Puts sentences without facts into the template itself."""

    def __init__(self, says: Mapping[str, Any]) -> None:
        self._says = says

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802  # Jinja's name
        """A sentence, or what else is called."""
        self.generic_visit(node)
        known = all(isinstance(each, nodes.Const) for each in node.args)
        if not known or node.kwargs or node.dyn_args or node.dyn_kwargs:
            return node
        if not isinstance(node.node, nodes.Name) or node.node.name not in SAYS:
            return node
        sentence: str = self._says[node.node.name](*[each.as_const() for each in node.args])
        return nodes.Const(sentence, lineno=node.lineno)


class Templates(Environment):
    """Templates whose globals are one plain dict, looked up and copied at every drawing: all are there before the
    first template is loaded."""

    code_generator_class = Quick

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self._modules: dict[str, TemplateModule] = {}

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of one template."""
        return {**self.globals, **(d or {})}

    def overlay(self, *args: Any, **settings: Any) -> Self:
        """The same templates with other settings, by which they are compiled into something else."""
        made = super().overlay(*args, **{"bytecode_cache": None, **settings})
        made._modules = {}
        return made

    def module(self, name: str) -> TemplateModule:
        """The macros of a template, made once."""
        found = self._modules.get(name)
        if found is None:
            found = self._modules[name] = self.get_template(name).module
        return found

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed: nodes.Template = Saying(self.globals).visit(super()._parse(source, name, filename))
        return parsed
