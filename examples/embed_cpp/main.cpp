// A kernel compiled to a plain function pointer and called from C++; the kernel calls back a
// function of this program.
#include <cpl/cpl.h>

#include <cmath>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Handles that give themselves back.
template <auto Release> struct releaser {
    template <typename T> void operator()(T *handle) const { Release(handle); }
};
using context_ptr = std::unique_ptr<cpl_context, releaser<cpl_context_release>>;
using module_ptr = std::unique_ptr<cpl_module, releaser<cpl_module_release>>;
using kernel_ptr = std::unique_ptr<cpl_kernel, releaser<cpl_kernel_release>>;

// One compiler: its diagnostics become the text of the exception that a failing call throws.
class compiler {
public:
    compiler()
    {
        cpl_context_options options;
        cpl_context_options_init(&options);
        options.sink = [](void *user, const cpl_diag *diag) {
            std::string text(cpl_diag_render(diag, nullptr, 0) + 1, '\0');
            cpl_diag_render(diag, text.data(), text.size());
            text.pop_back(); // the NUL
            *static_cast<std::string *>(user) += text;
        };
        options.sink_user = log_.get();
        cpl_context *context = nullptr;
        check(cpl_context_create(&options, &context));
        context_.reset(context);
    }

    void extern_function(const char *name, const char *signature, void *address)
    {
        check(cpl_extern_register(context_.get(), name, signature, address, true));
    }

    module_ptr load(const char *name, const std::string &source)
    {
        cpl_module *module = nullptr;
        check(cpl_module_from_source(context_.get(), name, source.data(), source.size(), &module));
        return module_ptr(module);
    }

    kernel_ptr compile(cpl_module *module, const char *function,
                       std::initializer_list<const char *> types)
    {
        std::vector<const cpl_type *> parsed;
        for (const char *text : types) {
            parsed.push_back(nullptr);
            check(cpl_type_parse(context_.get(), text, &parsed.back()));
        }
        cpl_spec spec;
        cpl_spec_init(&spec);
        spec.types = parsed.data();
        spec.type_count = parsed.size();
        cpl_launch_options options;
        cpl_launch_options_init(&options);
        options.spec = &spec;
        cpl_kernel *kernel = nullptr;
        check(cpl_kernel_for(module, function, &options, nullptr, 0, &kernel));
        return kernel_ptr(kernel);
    }

private:
    void check(cpl_status status)
    {
        if (status == CPL_OK) return;
        std::string text = *log_;
        log_->clear();
        throw std::runtime_error(text.empty() ? cpl_status_message(status) : text);
    }

    std::unique_ptr<std::string> log_ = std::make_unique<std::string>(); // must outlive the context
    context_ptr context_;
};

const char source[] = R"(
def trapezoid(a, b, n):
    h = (b - a)/n
    s = 0.5*(density(a) + density(b))
    for i in range(1, n):
        s += density(a + i*h)
    return s*h
)";

} // namespace

extern "C" double density(double x)
{
    return std::exp(-x * x);
}

int main()
try {
    compiler cpl;
    cpl.extern_function("density", "float64(float64)", reinterpret_cast<void *>(&density));
    module_ptr module = cpl.load("trapezoid.py", source);
    kernel_ptr kernel = cpl.compile(module.get(), "trapezoid", {"float64", "float64", "int32"});
    auto trapezoid =
        reinterpret_cast<double (*)(double, double, int32_t)>(cpl_kernel_address(kernel.get()));

    double got = trapezoid(-6.0, 6.0, 1000), expected = std::sqrt(std::acos(-1.0));
    std::printf("%s\n", cpl_kernel_signature(kernel.get()));
    std::printf("integral of exp(-x*x): %.12f, expected %.12f\n", got, expected);

    bool refused = false; // a kernel with a mistake ends in an exception that shows the place
    try {
        module_ptr bad = cpl.load("bad.py", "def f(x):\n    return densty(x)\n");
        cpl.compile(bad.get(), "f", {"float64"});
    } catch (const std::runtime_error &error) {
        refused = std::string(error.what()).find("bad.py:2:12: error:") != std::string::npos;
        std::printf("%s", error.what());
    }
    return std::fabs(got - expected) < 1e-12 && refused ? 0 : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "embed_cpp: %s\n", error.what());
    return 1;
}
